import { useEffect, useRef, useState } from 'react';
import { type Kiosk, PAIRING_LIFETIME, shownCode } from '#contract/kiosk/kiosk.ts';
import { useAction } from '../../../data/useAction.ts';
import { useKioskAddress } from '../../../frame/share/address.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { clock } from '../../../ui/format/time.ts';
import { Aside } from '../../../ui/forms/Form.tsx';
import { useStable } from '../../../ui/hooks.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { QrCode } from '../../../ui/qr/QrCode.tsx';
import { Rich } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './Kiosks.module.css';

interface PairingDialogProps {
  readonly kiosk: Kiosk;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a pairing code, and closes once a tablet has used it. */
export const PairingDialog = ({ kiosk, isOpen, onClose }: PairingDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={t('Pair a tablet with {name}', { name: kiosk.data.displayName })} size="lg">
    <Pairing kiosk={kiosk} onPaired={onClose} />
  </Dialog>
);

function Pairing({ kiosk: { id, data }, onPaired }: { kiosk: Kiosk; onPaired: () => void }) {
  const { isDemo } = useTeam();
  const address = useKioskAddress();
  const wasPaired = useRef(data.paired);
  const onNewTablet = useStable(() => {
    toast(t('{name} is paired.', { name: data.displayName }));
    onPaired();
  });
  useEffect(() => {
    if (data.paired !== undefined && data.paired > (wasPaired.current ?? 0)) onNewTablet();
  }, [data.paired, onNewTablet]);
  return (
    <div className={styles['pairing']}>
      {isDemo && <Notice tone="plain">{t('The demo has no tablets. This is a sample code.')}</Notice>}
      <ol className={styles['steps']}>
        <li>
          <Rich
            text={t('On the tablet, open <address>{address}</address>, or scan this with its camera:', { address })}
            parts={{ address: (text) => <strong className={styles['address']}>{text}</strong> }}
          />
          <div className={styles['qr']}>
            <QrCode text={address} label={t('QR code of the kiosk’s address')} />
          </div>
        </li>
        <li>
          {t('Type this code there:')}
          <PairingCode kioskId={id} />
        </li>
      </ol>
      <Aside>
        {t('This window closes once the tablet is paired.')}
        {data.paired !== undefined && ` ${t('The current tablet is then disconnected.')}`}
      </Aside>
    </div>
  );
}

/** A code that is requested when it is first shown, and again on demand. */
function PairingCode({ kioskId }: { kioskId: string }) {
  const start = useAction('kiosk', 'startPairing');
  const [pairing, setPairing] = useState<{ readonly code: string; readonly until: number } | 'expired'>();
  const request = useStable(() => void start.run({ kioskId }, setPairing));
  useEffect(() => request(), [request]);
  useEffect(() => {
    if (pairing === undefined || pairing === 'expired') return undefined;
    // This device's clock may be wrong, so only the time since the response counts.
    const timer = setTimeout(() => setPairing('expired'), PAIRING_LIFETIME);
    return () => clearTimeout(timer);
  }, [pairing]);

  if (start.failure !== undefined) return <LoadFailed onRetry={request}>{start.failure}</LoadFailed>;
  return (
    <div className={styles['codeBox']} role="status">
      {pairing === 'expired' ? (
        <>
          <p>{t('This code has expired.')}</p>
          <Button variant="default" loading={start.isPending} onClick={request}>
            {t('Get a new code')}
          </Button>
        </>
      ) : (
        pairing && (
          <>
            <p className={styles['code']}>{shownCode(pairing.code)}</p>
            <p className={styles['until']}>{t('Works once, until {time}.', { time: clock(pairing.until) })}</p>
          </>
        )
      )}
    </div>
  );
}
