import { useNavigate } from '@tanstack/react-router';
import type { Property } from '#contract/property/property.ts';
import { DeleteProperty } from '../../../frame/DeleteProperty.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

export function DeletePropertyCard({ property }: { property: Property }) {
  const { paths } = useTeam();
  const navigate = useNavigate();
  const [isAsking, asking] = useLayer('delete-property');
  return (
    <Card
      title={t('Delete property')}
      tone="danger"
      lead={t('Its form closes permanently, and its feedback disappears from every list and chart.')}
      action={
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          {t('Delete property')}
        </Button>
      }
    >
      <DeleteProperty
        property={property}
        isOpen={isAsking}
        onClose={asking.close}
        onDeleted={() => void navigate({ to: paths.properties, replace: true })}
      />
    </Card>
  );
}
