import { useQuery } from '@tanstack/react-query';
import { EMBED_SCRIPT_PATH, type FormLink, formPath } from '#contract/form/form-page.ts';
import { KIOSK_PATH } from '#contract/kiosk/kiosk-page.ts';
import { configQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

/**
 * Returns the site's address for codes: the public one, which may differ from this page's. A loopback address is the default
 * setting and wouldn't work on a phone, so the page's own origin replaces it.
 */
export const siteOf = (publicUrl: string | undefined, origin: string): string =>
  publicUrl === undefined || LOOPBACK.test(publicUrl) ? origin : publicUrl;

function useSite(): string {
  // The demo sends no requests.
  const { data: config } = useQuery({ ...configQuery, enabled: useSource().id === 'server' });
  return siteOf(config?.publicUrl, location.origin);
}

/** Returns a function that builds the full address of a form, or of a placement's code. */
export function useFormAddress(): (formId: string, link?: FormLink) => string {
  const site = useSite();
  return (formId, link) => site + formPath(formId, link);
}

/** Returns the full address of the script for other sites' pages. */
export const useEmbedScript = (): string => useSite() + EMBED_SCRIPT_PATH;

/** Returns the full address that a tablet opens to become a kiosk. */
export const useKioskAddress = (): string => useSite() + KIOSK_PATH;
