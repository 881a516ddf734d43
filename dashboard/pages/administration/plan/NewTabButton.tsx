import { IconExternalLink } from '@tabler/icons-react';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import type { useNewTab } from './useNewTab.ts';

interface NewTabButtonProps {
  readonly tab: Omit<ReturnType<typeof useNewTab>, 'open'>;
  /** Names what opens: "Invoice: 12, in a new tab". */
  readonly name: string;
  readonly size?: 'compact-sm' | 'sm';
  readonly onOpen: () => void;
  readonly children: string;
}

/** Opens a page of the payment provider in a new tab, with a link if the browser blocks it. */
export const NewTabButton = ({ tab: { isPending, failure, blockedUrl }, name, size = 'sm', onOpen, children }: NewTabButtonProps) => (
  <>
    <Button
      variant="default"
      size={size}
      rightSection={<IconExternalLink size={16} aria-hidden />}
      loading={isPending}
      aria-label={name}
      onClick={onOpen}
    >
      {children}
    </Button>
    <Notice tone="bad">{failure}</Notice>
    {blockedUrl !== undefined && (
      <Notice tone="plain">
        {t('Your browser blocked the new tab.')}{' '}
        <a href={blockedUrl} target="_blank" rel="noopener noreferrer">
          {t('Open it here')}
        </a>
      </Notice>
    )}
  </>
);
