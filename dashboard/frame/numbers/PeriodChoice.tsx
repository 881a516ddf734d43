import { IconCalendar } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { isPeriod, NAMED_PERIODS, type NamedPeriod } from '#contract/feedback/filters.ts';
import { t } from '../../language.ts';
import { localZone } from '../../ui/format/time.ts';
import { useIsWide } from '../../ui/hooks.ts';
import type { PressButton } from '../../ui/layers/OpenedBy.tsx';
import { BottomSheet } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { PopoverButton } from '../../ui/MenuButton.tsx';
import { Button, SegmentedControl, TextInput } from '../../ui/theme/mantine.ts';
import styles from './PeriodChoice.module.css';
import { daysOf, NAMED_LABELS, type Period, periodLabel, todayIn } from './period.ts';

interface PeriodChoiceProps {
  readonly period: Period;
  readonly now: number;
  readonly onChange: (period: Period) => void;
}

/** Chooses the page's period: a named one, or custom dates. On a phone both are behind one button. */
export function PeriodChoice(props: PeriodChoiceProps) {
  return useIsWide() ? (
    <div className={styles['choice']}>
      <NamedPeriods {...props} />
      <DatesPopover {...props} />
    </div>
  ) : (
    <PeriodSheet {...props} />
  );
}

const NamedPeriods = ({ period, onChange, isFull = false }: PeriodChoiceProps & { readonly isFull?: boolean }) => (
  <SegmentedControl
    aria-label={t('Period')}
    data={NAMED_PERIODS.map((value) => ({ value, label: t(NAMED_LABELS[value]) }))}
    // Custom dates select none of them.
    value={period.name}
    onChange={(name) => onChange({ name: name as NamedPeriod })}
    withItemsBorders={false}
    fullWidth={isFull}
    classNames={{ root: styles['periods'] ?? '', indicator: styles['chosen'] ?? '', label: styles['period'] ?? '' }}
  />
);

const DatesPopover = ({ period, now, onChange }: PeriodChoiceProps) => (
  <PopoverButton label={t('Dates')} position="bottom-end" className={styles['popover'] ?? ''} button={<DatesButton period={period} />}>
    {(close) => (
      <DateFields
        period={period}
        now={now}
        onChange={(chosen) => {
          close();
          onChange(chosen);
        }}
      />
    )}
  </PopoverButton>
);

/** Applies the choice after the sheet has closed. */
function PeriodSheet({ period, now, onChange }: PeriodChoiceProps) {
  const [isOpen, sheet] = useLayer('period');
  const [chosen, setChosen] = useState<Period>();
  useEffect(() => {
    if (isOpen || chosen === undefined) return;
    setChosen(undefined);
    onChange(chosen);
  }, [isOpen, chosen, onChange]);

  function choose(next: Period): void {
    setChosen(next);
    sheet.close();
  }

  return (
    <>
      <Button
        variant="subtle"
        className={styles['open'] ?? ''}
        aria-haspopup="dialog"
        aria-label={t('Period: {period}', { period: periodLabel(period) })}
        onClick={sheet.open}
      >
        <IconCalendar size={20} aria-hidden />
      </Button>
      <BottomSheet isOpen={isOpen} title={t('Period')} onClose={sheet.close}>
        <div className={styles['sheet']}>
          <NamedPeriods period={period} now={now} onChange={choose} isFull />
          <DateFields period={period} now={now} onChange={choose} />
        </div>
      </BottomSheet>
    </>
  );
}

const DatesButton = ({ period, ...press }: Pick<PeriodChoiceProps, 'period'> & PressButton) => (
  <Button variant="subtle" px={10} aria-pressed={period.name === 'own'} aria-label={datesLabel(period)} title={t('Dates')} {...press}>
    <IconCalendar size={18} aria-hidden />
    {period.name === 'own' && <span className={styles['label']}>{periodLabel(period)}</span>}
  </Button>
);

const datesLabel = (period: Period): string => (period.name === 'own' ? t('Dates: {period}', { period: periodLabel(period) }) : t('Dates'));

/** Two native date fields, which start with the current period. */
function DateFields({ period, now, onChange }: PeriodChoiceProps) {
  const today = todayIn(localZone(), now);
  const [initial] = useState(() => daysOf(period, now, localZone()));
  const [from, setFrom] = useState(initial.from);
  const [to, setTo] = useState(initial.to);
  const problem = from !== '' && to !== '' && from > to ? t('The end date is before the start date') : undefined;

  function choose(event: FormEvent): void {
    event.preventDefault();
    if (isPeriod(from, to)) onChange({ name: 'own', from, to });
  }

  return (
    <form className={styles['dates']} onSubmit={choose}>
      <TextInput type="date" label={t('From')} value={from} max={today} onChange={({ currentTarget }) => setFrom(currentTarget.value)} />
      <TextInput
        type="date"
        label={t('To')}
        value={to}
        max={today}
        error={problem}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Button type="submit" disabled={!isPeriod(from, to)}>
        {t('Apply dates')}
      </Button>
    </form>
  );
}
