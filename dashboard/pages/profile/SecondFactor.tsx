import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { messageOf } from '../../data/errors.ts';
import { useTeam } from '../../frame/team.ts';
import { totpQuery, usePoolAction } from '../../session/pool.ts';
import { CodeForm } from '../../ui/CodeForm.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './ProfilePage.module.css';

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
      {(error || begin.failure) && <Notice tone="bad">{begin.failure ?? messageOf(error)}</Notice>}
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

interface SecondFactorSetUpProps {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

/** The secret, to scan or to type, and a first code that proves the app has it. */
function SecondFactorSetUp({ secret, uri, onDone, onLeave }: SecondFactorSetUpProps) {
  const finish = usePoolAction('finishTotp');
  return (
    <CodeForm
      label="Set up two-step sign-in"
      from="app"
      verb="Switch on"
      action={finish}
      onCode={(code) => void finish.run(code, onDone)}
      below={<TextLink onClick={onLeave}>Not now</TextLink>}
    >
      <div className={styles['qr']}>
        <QrCode text={uri} label="Code to scan with your authenticator app" />
        <div>
          <p>Scan this with an authenticator app, or type its secret there:</p>
          <code className={styles['secret']}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
    </CodeForm>
  );
}

/** Four light modules around it, and errors of 15 % forgiven (docs/rules.md#qr-codes). */
const SHAPE = { border: 4, ecc: 'M' } as const;

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, SHAPE);
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="currentColor" />
    </svg>
  );
}
