/** The browser's properties that decide whether analytics may start. */
interface AnalyticsSurroundings {
  readonly hostname: string;
  /** The storage flag that turns analytics off on a device. */
  readonly localFlag: string | null;
  readonly doNotTrack: string | null | undefined;
  readonly globalPrivacyControl: boolean | undefined;
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Returns whether the analytics provider may start in this browser (docs/rules.md#analytics). */
export const mayAnalyse = ({ hostname, localFlag, doNotTrack, globalPrivacyControl }: AnalyticsSurroundings): boolean =>
  !THIS_MACHINE.includes(hostname) && localFlag !== 'true' && doNotTrack !== '1' && globalPrivacyControl !== true;

/** The only event properties that leave the browser, whatever the provider's library adds. */
const ALLOWED_PROPERTIES: readonly string[] = ['token', 'distinct_id', 'page', 'area', '$lib', '$process_person_profile', '$geoip_disable'];

/** Returns only the allowed properties of an event. */
export const onlySaid = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(ALLOWED_PROPERTIES.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])));
