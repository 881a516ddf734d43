/** What is known of the browser before anything is loaded. */
export interface AnalyticsSurroundings {
  readonly hostname: string;
  /** The mark by which a device keeps analytics off. */
  readonly localFlag: string | null;
  readonly doNotTrack: string | null | undefined;
  readonly globalPrivacyControl: boolean | undefined;
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Whether the analytics provider may be started here (docs/rules.md#analytics). */
export const mayAnalyse = ({ hostname, localFlag, doNotTrack, globalPrivacyControl }: AnalyticsSurroundings): boolean =>
  !THIS_MACHINE.includes(hostname) && localFlag !== 'true' && doNotTrack !== '1' && globalPrivacyControl !== true;

/** What an event may say beside its name: nothing else leaves the browser, whatever the provider's library adds. */
const SAID: readonly string[] = ['token', 'distinct_id', 'page', 'area', '$lib', '$process_person_profile', '$geoip_disable'];

/** The properties of an event that are allowed. */
export const onlySaid = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(SAID.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])));
