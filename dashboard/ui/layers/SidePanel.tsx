import { type ReactNode, useEffect } from 'react';
import { clearToasts } from '../messages/Toasts.tsx';
import { loadedLater } from '../page/Later.tsx';
import { Opening } from './Opening.tsx';

const TitledSheet = loadedLater(() => import('./Sheet.tsx'), 'TitledSheet');
const WholeSheet = loadedLater(() => import('./Sheet.tsx'), 'WholeSheet');

interface SidePanelProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Called after the panel has slid away. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}

/** A sheet from the right; full screen on a phone. */
export function SidePanel({ isOpen, ...panel }: SidePanelProps) {
  // Earlier toasts no longer matter; the panel's own appear above it.
  useEffect(() => {
    if (isOpen) clearToasts();
  }, [isOpen]);
  return <Opening isOpen={isOpen}>{(isNow) => <TitledSheet from="right" isOpen={isNow} {...panel} />}</Opening>;
}

/** A sheet from the bottom, within reach of thumbs. */
export const BottomSheet = ({ isOpen, ...sheet }: Omit<SidePanelProps, 'onClosed'>) => (
  <Opening isOpen={isOpen}>{(isNow) => <TitledSheet from="bottom" isOpen={isNow} {...sheet} />}</Opening>
);

interface ScreenProps extends Omit<SidePanelProps, 'title'> {
  readonly label: string;
  /** Attributes to find it by. */
  readonly marks: Readonly<Record<string, string>>;
}

/** A full-screen sheet for narrow windows. Its content has the Back button. */
export const Screen = ({ isOpen, ...screen }: ScreenProps) => (
  <Opening isOpen={isOpen}>{(isNow) => <WholeSheet isOpen={isNow} {...screen} />}</Opening>
);
