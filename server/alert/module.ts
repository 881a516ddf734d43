import type { Module } from '../module.ts';
import { type AlertOptions, openAlerts } from './alert.ts';
import { type AlertPageOptions, addAlertPage } from './page.ts';

/** Notifies the team of urgent feedback, at once or later. */
export const alert = ({ changeWork, ...context }: AlertOptions & Pick<AlertPageOptions, 'changeWork'>) => {
  const { links, subscribers, watch, work } = openAlerts(context);
  return {
    subscribers,
    work,
    serve(http) {
      addAlertPage(http, { platform: context.platform, links, changeWork });
      return {};
    },
    start: watch.start,
    stop: watch.stop,
  } satisfies Module;
};
