import { IconHandFinger } from '@tabler/icons-react';
import type { Property } from '#contract/property/property.ts';
import { t } from '../../language.ts';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { useTeam } from '../team.ts';
import { useFormAddress } from './address.ts';

/** Opens the form to try it; the answer is marked as a test. Not in the demo, whose forms exist only in this page. */
export function TryIt({ property: { data }, isPrimary = false }: { property: Property; isPrimary?: boolean }) {
  const { isDemo } = useTeam();
  const addressOf = useFormAddress();
  if (isDemo) return null;
  return (
    <div>
      <Button
        component="a"
        href={addressOf(data.formId, { test: true })}
        target="_blank"
        rel="noopener"
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={<IconHandFinger size={16} aria-hidden />}
      >
        <SpokenLabel text={t('Try it yourself<spoken> in a new tab; your answer is marked as a test and isn’t counted</spoken>')} />
      </Button>
    </div>
  );
}
