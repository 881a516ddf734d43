import { IconPhoto, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { LONGEST_ALT } from '#contract/brand/brand.ts';
import type { BrandLogo } from '#contract/brand/look.ts';
import { LARGEST_PICTURE } from '#contract/user/user.ts';
import { t } from '../../language.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import { FileInput, PICTURES, UNREADABLE } from '../../ui/forms/FileInput.tsx';
import { readPicture } from '../../ui/forms/picture.ts';
import type { FormOf } from '../../ui/forms/useForm.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './Brand.module.css';
import { type BrandDraft, logoSize } from './brand-draft.ts';

/** The longest side of the sent picture (px). The server shrinks it further. */
const LONGEST = 640;

interface LogoCardProps {
  readonly form: FormOf<BrandDraft>;
  /** The server's message about the picture. */
  readonly problem: string | undefined;
}

/** Chooses the logo and describes it. */
export function LogoCard({ form, problem }: LogoCardProps) {
  const { logo } = form.values;
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);

  async function read(file: File): Promise<void> {
    setReading(true);
    const picture = await readLogo(file);
    setReading(false);
    setUnreadable(picture === undefined);
    if (picture) form.setFieldValue('logo', { ...picture, alt: logo?.alt ?? '' });
  }

  return (
    <Card title={t('Logo')} lead={t('PNG, JPEG or WebP. It is drawn again, at most 3 kB large, so simple logos look best.')}>
      {logo && (
        <div className={styles['plates']}>
          <LogoPlate theme="light" logo={logo} />
          <LogoPlate theme="dark" logo={logo} />
        </div>
      )}
      <div className={styles['buttons']}>
        <Button
          variant="default"
          leftSection={<IconPhoto size={16} aria-hidden />}
          loading={isReading}
          onClick={() => input.current?.click()}
        >
          {logo ? t('Choose another') : t('Choose a picture')}
        </Button>
        {logo && (
          <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={() => form.setFieldValue('logo', null)}>
            {t('Remove logo')}
          </Button>
        )}
      </div>
      <FileInput ref={input} accept={PICTURES} label={t('Logo')} onChoose={read} />
      <Notice tone="bad">{isUnreadable ? t(UNREADABLE) : problem}</Notice>
      {logo && (
        <TextField
          label={t('Alternative text')}
          description={t('For people who can’t see the logo. Usually the name of your business.')}
          limit={LONGEST_ALT}
          {...form.getInputProps('logo.alt')}
        />
      )}
    </Card>
  );
}

/** Reads a file as a logo with about the size that the server will give it; undefined if it is no picture. */
async function readLogo(file: File): Promise<Omit<BrandLogo, 'alt'> | undefined> {
  const picture = await readPicture(file, { longest: LONGEST, most: LARGEST_PICTURE, keepsTransparency: true });
  if (picture === undefined) return undefined;
  const image = new Image();
  image.src = picture;
  await image.decode();
  return { picture, ...logoSize({ width: image.naturalWidth, height: image.naturalHeight }) };
}

const LogoPlate = ({ theme, logo: { picture, alt } }: { theme: 'light' | 'dark'; logo: BrandLogo }) => (
  <figure className={styles['plate']} data-mantine-color-scheme={theme}>
    <figcaption>{theme === 'light' ? t('Light theme') : t('Dark theme')}</figcaption>
    <img src={picture} alt={alt} className={styles['logo']} />
  </figure>
);
