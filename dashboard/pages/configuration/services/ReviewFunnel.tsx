import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { requestsSentence } from '#contract/core/sentences.ts';
import { csvOf } from '#contract/export/csv.ts';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { type Tally, total } from '#contract/feedback/tally.ts';
import { offeredIn, type ReviewSpan } from '#contract/insight/review-funnel.ts';
import type { Property } from '#contract/property/property.ts';
import { slugOf } from '#contract/property/slug.ts';
import { reviewFunnelQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { download } from '../../../ui/download.ts';
import { formatCount, percent } from '../../../ui/format/number.ts';
import { moment } from '../../../ui/format/time.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { INVITED } from '../invited.ts';
import { serviceLabel } from '../service-label.ts';
import { funnelRows } from './funnel-rows.ts';
import styles from './ServicesTab.module.css';

/** The rules shown at first. */
const SHOWN_AT_FIRST = 2;

/** Counts who was offered the review links by each rule, as evidence for a review site or an authority. */
export function ReviewFunnel({ property: { id, data } }: { property: Property }) {
  const team = useTeam();
  const { data: funnel, isError, refetch } = useQuery(reviewFunnelQuery(useSource(), id));
  const spans = funnel?.spans;
  const [isWhole, setWhole] = useState(false);

  function save(list: readonly ReviewSpan[]): void {
    const file = new Blob([csvOf(funnelRows(list, (userId) => personName(team, userId)))], { type: 'text/csv' });
    download(file, `${slugOf(data.displayName)}-reviews.csv`);
  }

  return (
    <Card
      title={t('How we ask for reviews')}
      lead={t('Who was offered the links, by which rule. Tests and answers set aside aren’t counted.')}
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!spans}
          onClick={() => spans && save(spans)}
        >
          {t('Download as CSV')}
        </Button>
      }
    >
      {isError && (
        <LoadFailed onRetry={refetch}>{spans ? t('We couldn’t load this; it may be old.') : t('We couldn’t load this.')}</LoadFailed>
      )}
      {funnel && funnel.requests.sent > 0 && <p>{requestsSentence(t, funnel.requests)}</p>}
      {spans && spans.length > 1 && (
        <Offered
          title={t('All time')}
          ratings={spans.map(({ ratings }) => ratings)}
          offered={spans.map(offeredIn)}
          opened={spans.map(({ opened }) => opened)}
        />
      )}
      {spans?.slice(0, isWhole ? undefined : SHOWN_AT_FIRST).map((span) => (
        <Span key={`${span.from} ${span.first}`} span={span} />
      ))}
      {spans && !isWhole && spans.length > SHOWN_AT_FIRST && (
        <TextLink onClick={() => setWhole(true)}>{t('Show all {count} rules', { count: spans.length })}</TextLink>
      )}
    </Card>
  );
}

function Span({ span }: { span: ReviewSpan }) {
  const team = useTeam();
  const { invite, services, from, savedBy, first, last, ratings, opened } = span;
  const title =
    services.length === 0 ? t('No one: the form had no review links') : `${t(INVITED[invite])}: ${services.map(serviceLabel).join(', ')}`;
  const words = { date: moment(from), name: personName(team, savedBy), first: String(first) };
  return (
    <Offered title={title} ratings={[ratings]} offered={[offeredIn(span)]} opened={[opened]}>
      {first === last
        ? t('From {date}, by {name}. Version {first} of the form.', words)
        : t('From {date}, by {name}. Versions {first} to {last} of the form.', { ...words, last: String(last) })}
    </Offered>
  );
}

interface OfferedProps {
  readonly title: string;
  /** To be summed. */
  readonly ratings: readonly Tally[];
  readonly offered: readonly Tally[];
  readonly opened: readonly Tally[];
  readonly children?: ReactNode;
}

/** A table of the ratings, the best first. */
function Offered({ title, ratings, offered, opened, children }: OfferedProps) {
  const isEmpty = ratings.every((tally) => total(tally) === 0);
  return (
    <section className={styles['span']}>
      <h3>{title}</h3>
      {children !== undefined && <p>{children}</p>}
      {isEmpty ? (
        <p>{t('No ratings.')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Rating')}</th>
              <th scope="col">{t('Answers')}</th>
              <th scope="col">{t('Offered')}</th>
              <th scope="col">{t('Opened')}</th>
            </tr>
          </thead>
          <tbody>
            {RATINGS.toReversed().map((rating) => {
              const [answers, shown, clicked] = [ratings, offered, opened].map((list) => sumOf(list, rating - 1)) as [
                number,
                number,
                number,
              ];
              return (
                <tr key={rating}>
                  <th scope="row">{t(RATING_WORDS[rating])}</th>
                  <td>{formatCount(answers)}</td>
                  <td>{answers === 0 ? '–' : percent(Math.round((shown / answers) * 100))}</td>
                  <td>{formatCount(clicked)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

const sumOf = (tallies: readonly Tally[], index: number): number => tallies.reduce((sum, tally) => sum + (tally[index] ?? 0), 0);
