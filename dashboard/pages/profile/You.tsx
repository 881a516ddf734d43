import { useRef, useState } from 'react';
import { LARGEST_PICTURE } from '#contract/user/user.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { FileInput, PICTURES, UNREADABLE } from '../../ui/forms/FileInput.tsx';
import { readPicture } from '../../ui/forms/picture.ts';
import { RenameForm } from '../../ui/forms/RenameForm.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { UserAvatar } from '../../ui/UserAvatar.tsx';
import styles from './ProfilePage.module.css';

/** Your name and picture. */
export const You = () => (
  <Card title={t('You')}>
    <Picture />
    <Name />
  </Card>
);

/** The longest side of the sent picture (px). The server crops it square and shrinks it further. */
const LONGEST = 512;

/** Your picture or initials. */
function Picture() {
  const { user } = useTeam();
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);
  const save = useAction('user', 'save');

  async function setPicture(read: () => Promise<string | null | undefined>, done: string): Promise<void> {
    setReading(true);
    const avatar = await read();
    setReading(false);
    setUnreadable(avatar === undefined);
    if (avatar !== undefined) await save.run({ payload: { id: user.id, data: { avatar } } }, () => toast(done));
  }

  return (
    <div className={styles['picture']}>
      <UserAvatar person={user} size={64} />
      <div className={styles['actions']}>
        <Button variant="default" loading={isReading || save.isPending} onClick={() => input.current?.click()}>
          {user.data.avatar ? t('Change picture') : t('Upload picture')}
        </Button>
        {user.data.avatar && (
          <Button variant="subtle" disabled={save.isPending} onClick={() => void setPicture(async () => null, t('Picture removed.'))}>
            {t('Remove')}
          </Button>
        )}
      </div>
      <FileInput
        ref={input}
        accept={PICTURES}
        label={t('Picture')}
        onChoose={(file) => setPicture(() => readPicture(file, { longest: LONGEST, most: LARGEST_PICTURE }), t('Picture saved.'))}
      />
      <Notice tone="bad">{isUnreadable ? t(UNREADABLE) : (save.problemOf('avatar') ?? save.failure)}</Notice>
    </div>
  );
}

/** Your name, as the team sees it. */
function Name() {
  const { user } = useTeam();
  const { id, data } = user;
  const save = useAction('user', 'save');
  return (
    <RenameForm
      label={t('Name')}
      autoComplete="name"
      name={data.displayName}
      action={save}
      onName={(displayName) => void save.run({ payload: { id, data: { displayName } } }, () => toast(t('Name saved.')))}
    />
  );
}
