import { IconArrowLeft, IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { NotFound } from '../../../data/errors.ts';
import { itemQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { OFFLINE } from '../../../frame/chrome/offline.ts';
import { SHORTCUTS_PASS } from '../../../frame/chrome/shortcuts.ts';
import { usePanel } from '../../../frame/panel.ts';
import { t } from '../../../language.ts';
import { useLastDefined } from '../../../ui/hooks.ts';
import { Screen } from '../../../ui/layers/SidePanel.tsx';
import { EmptyState, NotLoaded } from '../../../ui/messages/EmptyState.tsx';
import { Button, useNetwork } from '../../../ui/theme/mantine.ts';
import { useSelection } from '../contexts.ts';
import { DETAIL } from '../selection.ts';
import { Detail, Steps } from './Detail.tsx';
import styles from './DetailPane.module.css';

/** The open feedback beside the list. It stays in view while the list scrolls. */
export function DetailPane() {
  const { shownId, shown } = useSelection();
  const pane = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each item starts at its top
  useEffect(() => {
    pane.current?.scrollTo(0, 0);
  }, [shownId]);
  return (
    <section ref={pane} className={styles['pane']} aria-label={t('Feedback details')} {...{ [DETAIL]: '' }}>
      {shownId !== undefined && <OpenFeedback id={shownId} listed={shown} />}
    </section>
  );
}

const COMMENTS_OPENER = 'open-comments';
const MARKS = { [SHORTCUTS_PASS]: '', [DETAIL]: '' };

/** The open feedback as a full screen with a Back button, for narrow windows. */
export function DetailSheet() {
  const { openId, shown, close, focusClosed } = useSelection();
  const panel = usePanel();
  const { online } = useNetwork();
  // The closed item is still drawn while the sheet slides away.
  const last = useRef({ id: openId, shown });
  if (openId !== undefined) last.current = { id: openId, shown };
  const { id, shown: listed } = last.current;
  return (
    <Screen isOpen={openId !== undefined} label={t('Feedback')} marks={MARKS} onClose={() => void close()} onClosed={focusClosed}>
      <div className={styles['bar']}>
        <Button variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={() => void close()}>
          {t('Back')}
        </Button>
        <span className={styles['tools']}>
          <Button
            id={COMMENTS_OPENER}
            variant="subtle"
            leftSection={<IconMessages size={18} aria-hidden />}
            onClick={() => id !== undefined && panel.open('comments', { about: id, opener: COMMENTS_OPENER })}
          >
            {t('Comments')}
          </Button>
          <Steps />
        </span>
      </div>
      {id !== undefined && <OpenFeedback id={id} listed={listed} />}
      {/* The sheet covers the frame's own offline line. */}
      {!online && <p className={styles['offline']}>{t(OFFLINE)}</p>}
    </Screen>
  );
}

interface OpenFeedbackProps {
  readonly id: string;
  /** The item from the list, if the list has it. */
  readonly listed: Feedback | undefined;
}

/**
 * Shows feedback by id, from the list or, for a shared link, from the server. An item that leaves the list stays shown. The
 * same elements serve every id, so that the Previous and Next buttons keep the focus.
 */
function OpenFeedback({ id, listed }: OpenFeedbackProps) {
  const { data, error, refetch } = useQuery({ ...itemQuery(useSource(), id), enabled: listed === undefined });
  const last = useLastDefined(listed ?? data);
  const item = listed ?? data ?? (last?.id === id ? last : undefined);
  if (item) return <Detail item={item} />;
  if (error instanceof NotFound)
    return <EmptyState title={t('This feedback isn’t available.')}>{t('It may have been deleted, or the link is wrong.')}</EmptyState>;
  if (error) return <NotLoaded title={t('We couldn’t load this feedback.')} onRetry={refetch} />;
  return <div aria-busy />;
}
