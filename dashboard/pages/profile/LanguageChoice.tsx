import { useState } from 'react';
import { LANGUAGE_NAMES } from '#contract/language/languages.ts';
import { TEAM_LANGUAGES } from '#contract/language/team.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { languageShown, switchLanguage, t } from '../../language.ts';
import { Card } from '../../ui/page/Page.tsx';
import { Radio } from '../../ui/theme/mantine.ts';
import styles from './ProfilePage.module.css';

/** The language of the dashboard, and of emails if the person is on a team. */
export function LanguageChoice() {
  const { user, isDemo, isTeamless } = useTeam();
  const save = useAction('user', 'save');
  const [chosen, setChosen] = useState(languageShown());
  return (
    <Card
      title={t('Language')}
      lead={isTeamless || isDemo ? undefined : t('For this dashboard and the emails to you. Guides are in English.')}
    >
      <Radio.Group
        label={t('Language')}
        labelProps={{ className: 'visually-hidden' }}
        value={chosen}
        onChange={(tag) => void choose(tag)}
        error={save.failure}
      >
        <div className={styles['actions']}>
          {TEAM_LANGUAGES.map((language) => (
            <Radio
              key={language}
              value={language}
              label={LANGUAGE_NAMES[language]}
              lang={language}
              disabled={save.isPending}
              mt={8}
              mr={16}
            />
          ))}
        </div>
      </Radio.Group>
    </Card>
  );

  /** Stores the choice with the person first, because the page reloads. */
  async function choose(tag: string): Promise<void> {
    const language = TEAM_LANGUAGES.find((each) => each === tag);
    if (!language) return;
    setChosen(language);
    if (isDemo || isTeamless || (await save.run({ payload: { id: user.id, data: { language } } }))) switchLanguage(language);
    else setChosen(languageShown());
  }
}
