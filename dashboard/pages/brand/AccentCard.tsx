import type { ThemeName } from '#contract/brand/colors.ts';
import { lookProperties } from '#contract/brand/look.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import type { FormOf } from '../../ui/forms/useForm.ts';
import { Card } from '../../ui/page/Page.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import styles from './Brand.module.css';
import { accentOf, type BrandDraft, colorsIn, lookOf, STANDARD_ACCENT } from './brand-draft.ts';

/** Chooses the accent, and shows the one that follows from it in each theme. */
export function AccentCard({ form }: { form: FormOf<BrandDraft> }) {
  const { values } = form;
  return (
    <Card title={t('Color')} lead={t('Buttons, links and the chosen answers. The faces keep their colors.')}>
      <div className={styles['accent']}>
        <input
          type="color"
          aria-label={t('Choose a color')}
          className={styles['picker']}
          value={accentOf(values) ?? STANDARD_ACCENT}
          onChange={({ currentTarget }) => form.setFieldValue('accent', currentTarget.value)}
        />
        <TextField
          label={t('Accent color')}
          placeholder={STANDARD_ACCENT}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('accent')}
        />
        {values.accent !== '' && <TextLink onClick={() => form.setFieldValue('accent', '')}>{t('Use the standard color')}</TextLink>}
      </div>
      <div className={styles['plates']}>
        <Swatch theme="light" label={t('Light theme')} draft={values} />
        <Swatch theme="dark" label={t('Dark theme')} draft={values} />
      </div>
    </Card>
  );
}

interface SwatchProps {
  readonly theme: ThemeName;
  readonly label: string;
  readonly draft: BrandDraft;
}

const ADAPTED = translatable({
  light: 'Darkened so that it can be read.',
  dark: 'Lightened so that it can be read.',
} satisfies Record<ThemeName, string>);

/** A button in the colors of a theme. */
function Swatch({ theme, label, draft }: SwatchProps) {
  const color = accentOf(draft);
  const { accent, onAccent } = colorsIn(theme, color);
  const style = { ...lookProperties(lookOf(draft), theme), background: accent, color: onAccent };
  return (
    <figure className={styles['plate']} data-mantine-color-scheme={theme}>
      <figcaption>{label}</figcaption>
      <span className={styles['sample']} style={style}>
        {t('Send')}
      </span>
      <span>{accent}</span>
      {color !== undefined && color !== accent && <span>{t(ADAPTED[theme])}</span>}
    </figure>
  );
}
