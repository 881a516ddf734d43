import { IconCalendar } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { isPeriod, NAMED_PERIODS, type NamedPeriod } from '#contract/filters.ts';
import { PopoverButton } from '../../ui/MenuButton.tsx';
import { Button, SegmentedControl, TextInput } from '../../ui/mantine.ts';
import { localZone } from '../../ui/time.ts';
import styles from './PeriodChoice.module.css';
import { NAMED_LABELS, type Period, periodLabel, todayIn } from './period.ts';

interface PeriodChoiceProps {
  readonly period: Period;
  readonly now: number;
  readonly onChange: (period: Period) => void;
}

const NAMED = NAMED_PERIODS.map((value) => ({ value, label: NAMED_LABELS[value] }));

/** The stretch of time that the page is about: one of those with a name, or from one day to another. */
export function PeriodChoice({ period, now, onChange }: PeriodChoiceProps) {
  return (
    <div className={styles['choice']}>
      <SegmentedControl
        aria-label="Period"
        data={NAMED}
        // None of them, while it is one of one's own.
        value={period.name}
        onChange={(name) => onChange({ name: name as NamedPeriod })}
        withItemsBorders={false}
        classNames={{ root: styles['periods'] ?? '', indicator: styles['chosen'] ?? '', label: styles['period'] ?? '' }}
      />
      <PopoverButton
        label="Dates"
        position="bottom-end"
        button={
          <Button variant="default" px={12} aria-pressed={period.name === 'own'}>
            <IconCalendar size={16} aria-hidden />
            <span className={styles['label']} data-own={period.name === 'own' || undefined}>
              {period.name === 'own' ? periodLabel(period) : 'Dates'}
            </span>
          </Button>
        }
      >
        {(close) => (
          <Dates
            period={period}
            now={now}
            onChoose={(chosen) => {
              close();
              onChange(chosen);
            }}
          />
        )}
      </PopoverButton>
    </div>
  );
}

/** Two days, each in the field that the device has for dates. */
function Dates({ period, now, onChoose }: { period: Period; now: number; onChoose: (period: Period) => void }) {
  const today = todayIn(localZone(), now);
  const [from, setFrom] = useState(period.name === 'own' ? period.from : today);
  const [to, setTo] = useState(period.name === 'own' ? period.to : today);
  const problem = from !== '' && to !== '' && from > to ? 'This day comes before the first one' : undefined;

  function choose(event: FormEvent): void {
    event.preventDefault();
    if (isPeriod(from, to)) onChoose({ name: 'own', from, to });
  }

  return (
    <form className={styles['dates']} onSubmit={choose}>
      <TextInput type="date" label="From" value={from} max={today} onChange={({ currentTarget }) => setFrom(currentTarget.value)} />
      <TextInput
        type="date"
        label="To"
        value={to}
        max={today}
        error={problem}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Button type="submit" disabled={!isPeriod(from, to)}>
        Show these days
      </Button>
    </form>
  );
}
