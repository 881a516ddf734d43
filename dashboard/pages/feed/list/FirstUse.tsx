import { IconQrcode } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTeam } from '../../../frame/data.tsx';
import { Button } from '../../../ui/mantine.ts';
import { State } from '../../../ui/State.tsx';
import type { Scope } from '../scope.ts';

/** No feedback, and no filter that could be why: how to get some. */
export function FirstUse({ scope }: { scope: Scope }) {
  const { paths } = useTeam();
  return (
    <State
      icon={<IconQrcode size={32} stroke={1.5} aria-hidden />}
      title={scope.of === 'property' ? `No feedback for ${scope.property.data.displayName} yet.` : 'No feedback yet.'}
      action={
        <Button component={Link} to={paths.properties} variant="default">
          Get your form’s address
        </Button>
      }
    >
      Put your form’s address where visitors pay. One tap is enough for them to answer.
    </State>
  );
}
