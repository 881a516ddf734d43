import { create } from 'zustand';

/** A short word that something was done. Never anything that has to be acted upon. */
export const useToast = create<{ readonly text: string; readonly at: number }>()(() => ({ text: '', at: 0 }));

export const toast = (text: string): void => useToast.setState({ text, at: Date.now() });
export const dropToast = (): void => useToast.setState({ text: '' });
