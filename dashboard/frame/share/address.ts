import { useQuery } from '@tanstack/react-query';
import { formPath, type Origin } from '#contract/form/form-page.ts';
import { configQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

/**
 * Where the codes of this installation lead: to the address that people use, which may not be the one that this page came by.
 * One that was never set is this machine's, and would lead a phone to itself: then it is the page's own.
 */
export const siteOf = (publicUrl: string | undefined, origin: string): string =>
  publicUrl === undefined || LOOPBACK.test(publicUrl) ? origin : publicUrl;

/** Gives the whole address of a form, or of a placement's code. */
export function useFormAddress(): (formId: string, origin?: Origin) => string {
  // The demo asks nobody.
  const { data: config } = useQuery({ ...configQuery, enabled: useSource().id === 'server' });
  const site = siteOf(config?.publicUrl, location.origin);
  return (formId, origin) => site + formPath(formId, origin);
}
