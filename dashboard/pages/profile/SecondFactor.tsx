import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inWords } from '../../data/errors.ts';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { totpQuery } from '../../session/pool.ts';
import { identity } from '../../session/session.ts';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/toast.ts';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

/** Six digits of an app beside the password, switched on and off. */
export function SecondFactor() {
  const { user, isDemo } = useTeam();
  const { data: isOn, error } = useQuery({ ...totpQuery, enabled: !isDemo });
  const client = useQueryClient();
  const [begun, setBegun] = useState<{ secret: string; uri: string }>();
  const [isEnding, setEnding] = useState(false);
  const work = useWork();

  const begin = () => work.run(async () => setBegun(await (await identity()).beginTotp(user.data.emailAddress)));
  async function end(): Promise<void> {
    if (!(await work.run(async () => (await identity()).endTotp()))) return;
    setEnding(false);
    settled(false);
  }
  function settled(isNow: boolean): void {
    setBegun(undefined);
    client.setQueryData(totpQuery.queryKey, isNow);
    toast(isNow ? 'Two-step sign-in is on.' : 'Two-step sign-in is off.');
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
            loading={work.isBusy && !isEnding}
            onClick={() => (isOn ? setEnding(true) : void begin())}
          >
            {isOn ? 'Switch off' : 'Set up'}
          </Button>
        )
      }
    >
      {begun && <SecondFactorSetUp {...begun} onDone={() => settled(true)} onLeave={() => setBegun(undefined)} />}
      {(error || work.failure) && !isEnding && <Notice tone="bad">{work.failure ?? inWords(error)}</Notice>}
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        title="Switch two-step sign-in off?"
        verb="Switch off"
        action={{ isPending: work.isBusy, failure: work.failure, reset: work.forgive }}
        onConfirm={() => void end()}
      >
        From then on your password alone opens your account.
      </ConfirmDialog>
    </Card>
  );
}
