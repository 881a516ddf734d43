import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heading } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney } from '../support/journey.ts';

/* Events that the browser sends to the analytics provider, played here by a local server. */

interface Received {
  readonly path: string;
  readonly body: string;
}

const received: Received[] = [];
const provider = createServer((request, response) => {
  void bodyOf(request).then((body) => {
    if (request.method !== 'OPTIONS') received.push({ path: request.url ?? '', body });
    response
      .writeHead(200, {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
        'content-type': 'application/json',
      })
      .end('{"status":1}');
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

let journey: Journey;
let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  journey = await openJourney({ ANALYTICS_KEY: 'phc_test', ANALYTICS_HOST: host }, { isWhole: true });
});
afterAll(async () => {
  await journey.stop();
  provider.close();
});

/** Returns the address under another host name, because analytics skips this machine’s own. */
const publicAddress = (): string => journey.address.replace('127.0.0.1', 'afterword.localhost');

/** Opens a browser that hides its automation flag, because the provider's library ignores automated browsers. */
async function asPerson(baseURL: string): Promise<BrowserVisit> {
  const visit = await journey.visit({
    viewport: DESKTOP,
    baseURL,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36',
  });
  await visit.page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }));
  return visit;
}

it('counts pages without search terms, ids or people, except on a device that opted out and on the form', async () => {
  const here = await asPerson(journey.address);
  await here.page.goto('/demo');
  await heading(here.page, 'All feedback').waitFor();
  await here.close();

  const off = await asPerson(publicAddress());
  await off.page.addInitScript(() => localStorage.setItem('vfdnt', 'true'));
  await off.page.goto('/demo');
  await heading(off.page, 'All feedback').waitFor();
  await off.page.goto('/feedback/FORM_Pier04');
  await off.page.evaluate(() => localStorage.removeItem('vfdnt'));
  await off.page.reload();
  await off.page.getByRole('radio').first().waitFor();
  await off.close();

  const on = await asPerson(publicAddress());
  await on.page.goto('/demo?q=CANARY&range=all');
  await heading(on.page, 'All feedback').waitFor();
  await on.page.getByRole('link', { name: 'Pier 4' }).first().click();
  await heading(on.page, 'Pier 4').waitFor();
  await on.page
    .getByRole('button', { name: 'Today', exact: true })
    .or(on.page.getByText('Today', { exact: true }))
    .first()
    .click();
  const events = () => received.flatMap(({ body }) => eventsIn(body));
  await expect.poll(() => events().length).toBe(2);
  expect(events().map(({ event, properties }) => [event, properties['page'], properties['area']])).toEqual([
    ['page seen', '/demo/', 'demo'],
    ['page seen', '/demo/properties/$propertyId/feedback', 'demo'],
  ]);
  expect(events().map(({ properties }) => Object.keys(properties).sort())).toEqual(
    events().map(() => ['$geoip_disable', '$lib', '$process_person_profile', 'area', 'distinct_id', 'page', 'token']),
  );
  expect(JSON.stringify(received)).not.toMatch(/CANARY|Dana|harborcoffee|PROPERTY_|localhost|\$current_url/);
  expect(new Set(received.map(({ path }) => path.split('?')[0]))).toEqual(new Set(['/e/']));
  const stored = await on.page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie].join());
  expect(stored).not.toMatch(/ph_|posthog/);
  await on.close();
});

interface AnalyticsEvent {
  readonly event: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Returns the events of one request, which may hold several. */
const eventsIn = (body: string): AnalyticsEvent[] => (JSON.parse(body) as { batch: AnalyticsEvent[] }).batch;
