import { useEffect, useEffectEvent } from 'react';
import { useAction } from '../data/useAction.ts';
import { useTeam } from '../frame/team.ts';
import { languageShown, preferredLanguage, switchLanguage } from '../language.ts';

/**
 * Shows the dashboard in the language that the signed-in person chose on another device. Someone who uses another language than English
 * without having chosen it gets their mails in it, too.
 */
export function PersonsLanguage() {
  const { user } = useTeam();
  const { run } = useAction('user', 'save');
  const { id } = user;
  const stored = user.data.language;
  const adopt = useEffectEvent(() => {
    if (stored === undefined && languageShown() !== 'en') void run({ payload: { id, data: { language: languageShown() } } });
    // Compared with this device's choice, because the file of a language may have failed to load.
    if (stored !== undefined && stored !== preferredLanguage()) switchLanguage(stored);
  });
  // Only at the start: a reload in the middle of work would lose what is being written.
  useEffect(() => adopt(), []);
  return null;
}
