import { setKeys, setTheme, type Theme, useKept } from '../../data/store.ts';
import { Radio, Switch } from '../../ui/mantine.ts';
import { Card } from '../../ui/Page.tsx';
import styles from './Profile.module.css';

/** How the pages look and listen, in this browser. */
export function Appearance() {
  const { theme, keys } = useKept();
  return (
    <Card title="This browser">
      <Radio.Group label="Theme" value={theme} onChange={(chosen) => setTheme(chosen as Theme)}>
        <div className={styles['ways']}>
          <Radio value="light" label="Light" mt={8} mr={16} />
          <Radio value="dark" label="Dark" mt={8} />
        </div>
      </Radio.Group>
      <Switch
        label="Single-key shortcuts"
        description="J, K, 1 to 5 and others in the feed, ? for the list of them"
        checked={keys}
        onChange={({ currentTarget }) => setKeys(currentTarget.checked)}
      />
    </Card>
  );
}
