import { useRef, useState } from 'react';
import { useWork } from '../../data/useWork.ts';
import { useTeam } from '../../frame/data.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Portrait } from '../../ui/Portrait.tsx';
import { toast } from '../../ui/toast.ts';
import styles from './Profile.module.css';
import { PictureError, readPicture } from './picture.ts';
import { useSaveMe } from './useSaveMe.ts';

/** One's picture, or the letters that stand for it. */
export function Picture() {
  const { user, isDemo } = useTeam();
  const saveMe = useSaveMe();
  const input = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState<string>();
  const work = useWork();

  async function save(choose: () => Promise<string | null>, done: string): Promise<void> {
    setUnreadable(undefined);
    const isSaved = await work.run(async () => {
      const avatar = await choose().catch((error: unknown) => {
        if (error instanceof PictureError) return setUnreadable(error.message);
        throw error;
      });
      if (avatar !== undefined) await saveMe({ avatar });
      return avatar;
    });
    if (isSaved) toast(done);
  }

  return (
    <div className={styles['picture']}>
      <Portrait person={user} size={64} />
      <div className={styles['ways']}>
        <Button variant="default" disabled={isDemo} loading={work.isBusy} onClick={() => input.current?.click()}>
          {user.data.avatar ? 'Change picture' : 'Upload picture'}
        </Button>
        {user.data.avatar && (
          <Button variant="subtle" disabled={isDemo || work.isBusy} onClick={() => void save(async () => null, 'Your picture is removed.')}>
            Remove
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hidden
        aria-label="Picture"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          if (file) void save(() => readPicture(file), 'Your picture is saved.').finally(() => (currentTarget.value = ''));
        }}
      />
      <Notice tone="bad">{unreadable ?? work.problemOf('avatar') ?? work.failure}</Notice>
    </div>
  );
}
