import posthog from 'posthog-js/dist/module.slim.no-external';
import { onlySaid } from './rules.ts';

interface Analytics {
  /** `page` is a pattern of addresses, such as `/properties/$propertyId/feedback`: no address that somebody was at. */
  seen(page: string, area: 'team' | 'demo'): void;
}

/**
 * Starts PostHog as a counter of pages: it watches no clicks and records nothing, asks its server for nothing, leaves nothing in the
 * browser, and knows nobody from one page load to the next (docs/decisions/0006-the-dashboard.md).
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
    // Whoever looks at what is sent can read it.
    disable_compression: true,
    save_referrer: false,
    save_campaign_params: false,
    respect_dnt: true,
    before_send: (event) => event && { uuid: event.uuid, event: event.event, properties: onlySaid(event.properties) },
  });
  return { seen: (page, area) => void posthog.capture('page seen', { page, area, $geoip_disable: true }) };
}
