import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inWords } from '../../data/errors.ts';
import { useTeam } from '../../frame/team.ts';
import { totpQuery, usePoolAction } from '../../session/pool.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

/** Six digits of an app beside the password, switched on and off. */
export function SecondFactor() {
  const { user, isDemo } = useTeam();
  const { data: isOn, error } = useQuery({ ...totpQuery, enabled: !isDemo });
  const [begun, setBegun] = useState<{ secret: string; uri: string }>();
  const [isEnding, ending] = useDisclosure();
  const begin = usePoolAction('beginTotp');
  const end = usePoolAction('endTotp');

  function ended(): void {
    ending.close();
    toast('Two-step sign-in is off.');
  }
  function finished(): void {
    setBegun(undefined);
    toast('Two-step sign-in is on.');
  }

  return (
    <Card
      title="Two-step sign-in"
      lead={isOn ? 'On: signing in asks for a code of your authenticator app' : 'Off: signing in asks for your password only'}
      action={
        !begun && (
          <Button
            variant="default"
            disabled={isDemo || isOn === undefined}
            loading={begin.isPending}
            onClick={() => (isOn ? ending.open() : void begin.run(user.data.emailAddress, setBegun))}
          >
            {isOn ? 'Switch off' : 'Set up'}
          </Button>
        )
      }
    >
      {begun && <SecondFactorSetUp {...begun} onDone={finished} onLeave={() => setBegun(undefined)} />}
      {(error || begin.failure) && <Notice tone="bad">{begin.failure ?? inWords(error)}</Notice>}
      <ConfirmDialog
        isOpen={isEnding}
        onClose={ending.close}
        title="Switch two-step sign-in off?"
        verb="Switch off"
        action={end}
        onConfirm={() => void end.run(undefined, ended)}
      >
        From then on your password alone opens your account.
      </ConfirmDialog>
    </Card>
  );
}
