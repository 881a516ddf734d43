import { IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DAY } from '#contract/core/time.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { totalsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { PopoverButton } from '../../../ui/MenuButton.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useFeedContent, useFilters } from '../contexts.ts';
import styles from './FirstUse.module.css';
import { type FirstStep, stepsLeft } from './steps-left.ts';

const LABELS = translatable({
  try: 'Try the form yourself',
  print: 'Print the code and put it where visitors pay',
  links: 'Add the links where visitors review you',
  invite: 'Invite a teammate',
} satisfies Record<FirstStep, string>);
const TABS: Readonly<Partial<Record<FirstStep, string>>> = { try: 'share', print: 'share', links: 'services' };

interface StepsLeftProps {
  /** True if the feed shows any answer, including tests. */
  readonly hasAnswer: boolean;
  /** The property that the steps link to. */
  readonly property: Property;
}

/** An admin's remaining setup steps. Renders nothing when all are done. */
export function StepsLeft(props: StepsLeftProps) {
  const steps = useStepsLeft(props.hasAnswer);
  return steps.length > 0 ? <StepList steps={steps} {...props} /> : null;
}

/** A business counts as new for this long (ms). After that, open steps are open on purpose. */
const NEW_FOR = 30 * DAY;

/** A button above a feed with answers that opens the same steps, while the business is new. */
export function StepsLeftButton() {
  const { account, properties } = useTeam();
  const { list } = useFeedContent();
  const steps = useStepsLeft(list.rows.length > 0);
  const isNew = useFilters().now - account.data.created < NEW_FOR;
  const [property] = properties;
  if (!isNew || !property || steps.length === 0) return null;
  return (
    <PopoverButton
      label={t('Next steps')}
      position="bottom-end"
      button={
        <Button
          size="compact-sm"
          variant="subtle"
          className={styles['opener'] ?? ''}
          leftSection={<IconCircleDashed size={16} aria-hidden />}
        >
          {t.count(steps.length, '{count} step left', '{count} steps left')}
        </Button>
      }
    >
      {() => <StepList steps={steps} property={property} />}
    </PopoverButton>
  );
}

function useStepsLeft(hasAnswer: boolean): readonly FirstStep[] {
  const { account, user, users, properties, isDemo } = useTeam();
  const isNeeded = user.data.level === 'admin' && !isDemo;
  const { data: totals } = useQuery({ ...totalsQuery(useSource(), account.id), enabled: isNeeded });
  if (!isNeeded || !totals) return [];
  const answers = [...totals.values()].reduce((sum, each) => sum + each, 0);
  return stepsLeft({ hasAnswer, answers, properties, people: users.length });
}

function StepList({ steps, property }: { steps: readonly FirstStep[]; property: Property }) {
  const { paths } = useTeam();
  return (
    <nav className={styles['left']} aria-label={t('Next steps')}>
      <h2>{t('Next steps')}</h2>
      <ul>
        {steps.map((step) => (
          <li key={step}>
            <Link
              to={step === 'invite' ? paths.users : paths.propertyConfiguration(property.id)}
              search={() => (TABS[step] === undefined ? {} : { tab: TABS[step] })}
            >
              <IconCircleDashed size={16} aria-hidden />
              {t(LABELS[step])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
