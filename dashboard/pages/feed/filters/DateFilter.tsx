import { DATE_FILTERS, type DateFilter as Range } from '#contract/time.ts';
import { SegmentedControl } from '../../../ui/mantine.ts';
import { RANGE_WORDS } from '../words.ts';
import styles from './DateFilter.module.css';

const CHOICES = DATE_FILTERS.map((value) => ({ value, label: RANGE_WORDS[value] }));

export function DateFilter({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      data={CHOICES}
      value={range}
      onChange={onChange}
      withItemsBorders={false}
      classNames={{ root: styles['periods'] ?? '', indicator: styles['chosen'] ?? '', label: styles['period'] ?? '' }}
    />
  );
}
