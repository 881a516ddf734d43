import type { ReactNode } from 'react';
import { t } from '../../language.ts';
import { TextLink } from '../page/TextLink.tsx';
import { Notice } from './Notice.tsx';

/** States what couldn't be loaded, with a link to try again. */
export const LoadFailed = ({ onRetry, children }: { onRetry: () => unknown; children: ReactNode }) => (
  <Notice tone="bad">
    {children} <TextLink onClick={() => void onRetry()}>{t('Try again')}</TextLink>
  </Notice>
);
