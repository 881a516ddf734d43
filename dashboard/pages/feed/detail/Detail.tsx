import { IconChevronDown, IconChevronUp, IconMail, IconPhone } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { emailLink, phoneLink } from '#contract/core/contact.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';

import { isWaiting } from '#contract/feedback/work.ts';
import { EditArea } from '../../../frame/EditArea.tsx';
import { useToolNames } from '../../../frame/share/tools.ts';
import { propertyName, propertyZone, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Face } from '../../../ui/Face.tsx';
import { Highlighted } from '../../../ui/format/Highlighted.tsx';
import { ratingWord } from '../../../ui/format/rating.ts';
import { ago } from '../../../ui/format/time.ts';
import { useIsWide } from '../../../ui/hooks.ts';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { Rich } from '../../../ui/Rich.tsx';
import { ActionIcon, Button } from '../../../ui/theme/mantine.ts';
import { useFilters, useSelection } from '../contexts.ts';
import { ReplyPlace } from '../conversation/ReplyPlace.tsx';
import { DETAIL_HEADING } from '../selection.ts';
import { History } from '../work/History.tsx';
import { WorkBar } from '../work/WorkBar.tsx';
import { Answers, Facts, Question } from './Answers.tsx';
import styles from './Detail.module.css';
import { Suspicion } from './Suspicion.tsx';
import { TestAnswer } from './TestAnswer.tsx';

const Comments = loadedLater(() => import('../comments/Comments.tsx'), 'Comments');

/** One piece of feedback in full: the visitor's words first, then the action bar, the private replies and the team's comments. */
export function Detail({ item }: { item: Feedback }) {
  const team = useTeam();
  const { search, now } = useFilters();
  const { rating, textFeedback, contact, created, projectId, toolId, kind, test } = item.data;
  const isThere = team.properties.some(({ id }) => id === projectId);
  const name = propertyName(team, projectId);
  const placement = useToolNames()(toolId);
  const zone = propertyZone(team, projectId);
  return (
    <article className={styles['detail']} aria-labelledby={DETAIL_HEADING}>
      <header className={styles['head']}>
        <Face rating={rating} size={40} />
        <div className={styles['name']}>
          <h2 id={DETAIL_HEADING} tabIndex={-1}>
            {t('{rating} visit', { rating: ratingWord(rating) })}
          </h2>
          <p>
            {isThere ? <Link to={team.paths.propertyFeedback(projectId)}>{name}</Link> : name}
            {placement && ` · ${placement}`} ·{' '}
            <time dateTime={new Date(created).toISOString()} suppressHydrationWarning>
              {ago(created, now, zone)}
            </time>
            {isWaiting(item) && <span className={styles['urgent']}>{t('Urgent')}</span>}
          </p>
        </div>
        {useIsWide() && <Steps />}
      </header>
      {textFeedback === undefined ? (
        <p className={styles['none']}>{t('No comment')}</p>
      ) : (
        <div>
          <Question item={item} />
          <blockquote className={styles['text']} dir="auto">
            <Highlighted text={textFeedback} words={search.q} />
          </blockquote>
        </div>
      )}
      {kind === 'contact me' && <Contact contact={contact} />}
      <Answers item={item} />
      <Facts item={item} zone={zone} />
      <WorkBar key={`work ${item.id}`} item={item} />
      <EditArea isQuiet>
        <Suspicion key={item.id} item={item} />
        {test && <TestAnswer key={`${item.id} test`} item={item} />}
      </EditArea>
      <ReplyPlace item={item} now={now} zone={zone} />
      <div className={styles['comments']}>
        <Later>
          <Comments feedbackId={item.id} now={now} zone={zone} />
        </Later>
      </div>
      <History key={`history ${item.id}`} item={item} zone={zone} />
    </article>
  );
}

/** Buttons to the previous and next feedback in the list. */
export function Steps() {
  const { hasPrevious, hasNext, step } = useSelection();
  return (
    <div className={styles['steps']}>
      <Step label={t('Previous feedback')} shortcut="k" onClick={hasPrevious ? () => step(-1) : undefined}>
        <IconChevronUp size={20} aria-hidden />
      </Step>
      <Step label={t('Next feedback')} shortcut="j" onClick={hasNext ? () => step(1) : undefined}>
        <IconChevronDown size={20} aria-hidden />
      </Step>
    </div>
  );
}

function Step({
  label,
  shortcut,
  onClick,
  children,
}: {
  label: string;
  shortcut: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label={label}
      title={`${label} (${shortcut.toUpperCase()})`}
      aria-keyshortcuts={shortcut}
      aria-disabled={onClick === undefined}
      className={styles['step'] ?? ''}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

/** The contact details of a visitor who asked to be contacted, as links to call or email. */
function Contact({ contact }: { contact: Feedback['data']['contact'] }) {
  if (!contact) return <p className={styles['contact']}>{t('Wants to be contacted. The details appear once the server responds.')}</p>;
  const { name, phone, email } = contact;
  return (
    <section className={styles['contact']} aria-label={t('Contact')}>
      <p>
        <Rich
          text={t('<name>{name}</name> wants to be contacted', { name: name ?? t('This visitor') })}
          parts={{ name: (who) => <strong dir="auto">{who}</strong> }}
        />
      </p>
      <div className={styles['contactActions']}>
        {phone && (
          <Button component="a" href={phoneLink(phone)} leftSection={<IconPhone size={16} aria-hidden />} variant="default">
            {phone}
          </Button>
        )}
        {email && (
          <Button component="a" href={emailLink(email)} leftSection={<IconMail size={16} aria-hidden />} variant="default">
            {email}
          </Button>
        )}
      </div>
    </section>
  );
}
