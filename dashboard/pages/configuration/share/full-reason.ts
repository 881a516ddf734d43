import { MOST_TOOLS } from '#contract/tool/tool.ts';
import { t } from '../../../language.ts';

/** Returns why a property accepts no more placements, which include kiosks. */
export const fullReason = (isFull: boolean): string | undefined =>
  isFull ? t('A property has at most {count} placements, including kiosks.', { count: MOST_TOOLS }) : undefined;
