import rowStyles from '../../ui/page/Rows.module.css';
import { Rich } from '../../ui/Rich.tsx';

/** A count in a list row. Its unit, marked as `<unit>`, is shown only without columns. */
export const Figure = ({ text }: { text: string }) => (
  <span className={rowStyles['figure']}>
    <Rich text={text} parts={{ unit: (unit) => <span className={rowStyles['unit']}>{unit}</span> }} />
  </span>
);
