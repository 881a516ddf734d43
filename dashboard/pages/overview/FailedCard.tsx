import { t } from '../../language.ts';
import { Card } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';

interface FailedCardProps {
  readonly title: string;
  /** States what couldn't be loaded. */
  readonly lead: string;
  readonly onRetry: () => unknown;
}

/** A card that failed to load, with a button to try again. */
export const FailedCard = ({ title, lead, onRetry }: FailedCardProps) => (
  <Card
    title={title}
    lead={lead}
    action={
      <Button size="compact-sm" variant="default" onClick={() => void onRetry()}>
        {t('Try again')}
      </Button>
    }
  />
);
