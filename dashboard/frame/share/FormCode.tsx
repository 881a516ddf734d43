import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { download } from '../../ui/download.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { QrCode } from '../../ui/qr/QrCode.tsx';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { useTeam } from '../team.ts';
import styles from './FormCode.module.css';

interface FormCodeProps {
  readonly address: string;
  /** The code's target, such as "the form of Pier 4". */
  readonly of: string;
  /** The file name without its extension. */
  readonly file: string;
  /** Shown below the buttons. */
  readonly children?: ReactNode;
}

/** A QR code with its address, to scan, copy, open or download. The demo's forms exist only in this page, so they can't be opened. */
export function FormCode({ address, of, file, children }: FormCodeProps) {
  const { isDemo } = useTeam();
  return (
    <div className={styles['both']}>
      <QrCode text={address} label={t('QR code of {of}', { of })} />
      <div className={styles['beside']}>
        <p className={styles['address']}>{address}</p>
        {isDemo && <p className={styles['note']}>{t('Sample forms don’t accept answers. Yours will.')}</p>}
        <div className={styles['actions']}>
          {!isDemo && (
            <>
              <CopyButton text={address} of={t('the link to {of}', { of })} />
              <Button
                component="a"
                href={address}
                target="_blank"
                rel="noopener"
                variant="default"
                leftSection={<IconExternalLink size={16} aria-hidden />}
              >
                <SpokenLabel text={t('Open<spoken> {of} in a new tab</spoken>', { of })} />
              </Button>
            </>
          )}
          <FileButton type="SVG" {...{ address, of, file }} />
          <FileButton type="PNG" {...{ address, of, file }} />
        </div>
        {children}
      </div>
    </div>
  );
}

const FAILED = translatable('Your browser couldn’t create the file. Reload the page and try again.');

/** Downloads the code as an SVG, or as a PNG of 1,024 px. */
function FileButton({ type, address, of, file }: FormCodeProps & { readonly type: 'SVG' | 'PNG' }) {
  async function save(): Promise<void> {
    try {
      const { pngOf, svgOf } = await import('../../ui/qr/codes.ts');
      const blob = type === 'SVG' ? new Blob([svgOf(address)], { type: 'image/svg+xml' }) : await pngOf(address);
      download(blob, `${file}.${type.toLowerCase()}`);
    } catch (error) {
      console.warn('Couldn’t save a code:', error);
      toast(t(FAILED), { tone: 'failed' });
    }
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void save()}>
      <SpokenLabel text={t('{type}<spoken> of the code of {of}</spoken>', { type, of })} />
    </Button>
  );
}
