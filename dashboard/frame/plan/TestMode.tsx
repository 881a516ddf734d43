import { TEST_MODE } from '#contract/billing/billing.ts';
import { t } from '../../language.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { useIsTestMode } from './plan.ts';

/** Marks a part of the page that mentions money while payments are in test mode. */
export const TestMode = () => useIsTestMode() && <Notice tone="plain">{t(TEST_MODE)}</Notice>;
