import posthog from 'posthog-js/dist/module.slim.no-external';
import { onlySaid } from './rules.ts';

interface Analytics {
  /** Counts a page view. `page` is a route pattern, such as `/properties/$propertyId/feedback`, never an actual address. */
  seen(page: string, area: 'team' | 'demo'): void;
}

/**
 * Starts PostHog as a page counter only: no clicks, no recordings, no requests for settings, nothing stored in the browser, and no
 * link between page loads (docs/decisions/0005-the-dashboard.md).
 */
export function startAnalytics({ key, host }: { readonly key: string; readonly host: string }): Analytics {
  posthog.init(key, {
    api_host: host,
    persistence: 'memory',
    person_profiles: 'never',
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_performance: false,
    capture_heatmaps: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    rageclick: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_web_experiments: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    // Keeps the requests readable for anyone who inspects them.
    disable_compression: true,
    save_referrer: false,
    save_campaign_params: false,
    respect_dnt: true,
    before_send: (event) => event && { uuid: event.uuid, event: event.event, properties: onlySaid(event.properties) },
  });
  return { seen: (page, area) => void posthog.capture('page seen', { page, area, $geoip_disable: true }) };
}
