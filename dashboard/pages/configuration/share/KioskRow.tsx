import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { t } from '../../../language.ts';
import { useNow } from '../../../ui/hooks.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { Menu } from '../../../ui/layers/overlays.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { RowMenu } from '../../../ui/page/RowMenu.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { SpokenLabel } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { KioskDialog } from './KioskDialog.tsx';
import styles from './Kiosks.module.css';
import { tabletState, waitingText } from './kiosk-state.ts';
import { PairingDialog } from './PairingDialog.tsx';

interface KioskProps {
  readonly property: Property;
  readonly kiosk: Kiosk;
}

/** One kiosk: its name, the state of its tablet, and a menu. */
export function KioskRow({ property, kiosk }: KioskProps) {
  const { id, data } = kiosk;
  const why = useReadOnly();
  const [isPairing, pairing] = useLayer(`pair-${id}`);
  const { label, tone } = tabletState(kiosk, property, useNow());
  return (
    <div className={rowStyles['row']}>
      <span className={styles['name']}>{data.displayName}</span>
      <span className={`${rowStyles['wide']} ${styles['tablet']}`}>
        <span className={styles['state']} data-tone={tone}>
          {label}
        </span>
        {data.paired === undefined ? (
          <Button size="compact-sm" variant="default" disabled={why !== undefined} title={why} onClick={pairing.open}>
            <SpokenLabel text={t('Pair a tablet<spoken> with {name}</spoken>', { name: data.displayName })} />
          </Button>
        ) : (
          <span className={rowStyles['quiet']}>{waitingText(kiosk)}</span>
        )}
      </span>
      <KioskMenu property={property} kiosk={kiosk} onPair={pairing.open} />
      <PairingDialog kiosk={kiosk} isOpen={isPairing} onClose={pairing.close} />
    </div>
  );
}

function KioskMenu({ property, kiosk, onPair }: KioskProps & { onPair: () => void }) {
  const { id, data } = kiosk;
  const why = useReadOnly();
  const [isEditing, editing] = useLayer(`edit-${id}`);
  const [isRevoking, revoking] = useLayer(`revoke-${id}`);
  const [isDeleting, deleting] = useLayer(`delete-${id}`);
  return (
    <span className={`${rowStyles['beside']} ${styles['menu']}`}>
      <RowMenu name={data.displayName} why={why}>
        <Menu.Item onClick={editing.open}>{t('Edit')}</Menu.Item>
        <Menu.Item onClick={onPair}>{t('Pair a tablet')}</Menu.Item>
        {data.paired !== undefined && <Menu.Item onClick={revoking.open}>{t('Revoke tablet')}</Menu.Item>}
        <Menu.Item c="var(--c-danger-text)" onClick={deleting.open}>
          {t('Delete')}
        </Menu.Item>
      </RowMenu>
      <KioskDialog isOpen={isEditing} onClose={editing.close} property={property} kiosk={kiosk} />
      <RevokeTablet kiosk={kiosk} isOpen={isRevoking} onClose={revoking.close} />
      <DeleteKiosk kiosk={kiosk} isOpen={isDeleting} onClose={deleting.close} />
    </span>
  );
}

interface KioskConfirmProps {
  readonly kiosk: Kiosk;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function RevokeTablet({ kiosk: { id, data }, isOpen, onClose }: KioskConfirmProps) {
  const revoke = useAction('kiosk', 'revoke');
  const name = data.displayName;
  function onRevoked(): void {
    onClose();
    toast(t('The tablet of {name} was revoked.', { name }));
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Revoke the tablet of {name}?', { name })}
      action={{ ...revoke, label: t('Revoke tablet'), run: () => void revoke.run({ kioskId: id }, onRevoked) }}
    >
      {t('The tablet can no longer deliver answers. Answers that still wait on the tablet can’t be delivered unless you pair it again.')}
    </ConfirmDialog>
  );
}

function DeleteKiosk({ kiosk: { id, data }, isOpen, onClose }: KioskConfirmProps) {
  const remove = useAction('tool', 'delete', { allowNotFound: true });
  const name = data.displayName;
  function onDeleted(): void {
    onClose();
    toast(t('{name} was deleted.', { name }));
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Delete {name}?', { name })}
      action={{ ...remove, label: t('Delete kiosk'), run: () => void remove.run({ toolId: id }, onDeleted) }}
    >
      {t('Existing answers stay and no longer show the name.')}{' '}
      {data.paired !== undefined && `${t('The tablet can no longer deliver answers, and those that still wait on it are lost.')} `}
      {t('This can’t be undone.')}
    </ConfirmDialog>
  );
}
