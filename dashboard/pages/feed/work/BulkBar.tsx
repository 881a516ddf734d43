import type { WorkToDo } from '../../../data/useModify.ts';
import { t } from '../../../language.ts';
import { Button, Checkbox } from '../../../ui/theme/mantine.ts';
import { useBulk, useWork } from '../contexts.ts';
import styles from './BulkBar.module.css';
import { AssigneeChoice, StatusChoice } from './Choices.tsx';
import { AddTag } from './Tags.tsx';
import type { Bulk } from './useBulkState.ts';
import { useTags } from './useTags.ts';

/** The actions on the selected rows, while rows are being selected. */
export const BulkBar = () => (useBulk().isOn ? <BulkActions /> : null);

function BulkActions() {
  const { items, all, isAll, toggleAll, stop } = useBulk();
  const isNone = items.length === 0;
  return (
    <fieldset className={styles['bar']}>
      <legend className="visually-hidden">{t('Selected feedback')}</legend>
      <div className={styles['row']}>
        <Checkbox
          ref={all}
          label={isNone ? t('Select all shown') : t('{count} selected', { count: items.length })}
          checked={isAll}
          indeterminate={!isNone && !isAll}
          onChange={toggleAll}
        />
        <Button variant="subtle" size="compact-sm" onClick={stop}>
          {t('Stop selecting')}
        </Button>
      </div>
      <ChangeAll items={items} />
    </fieldset>
  );
}

function ChangeAll({ items }: Pick<Bulk, 'items'>) {
  const { tags } = useTags();
  const work = useWork();
  const isNone = items.length === 0;
  const change = (next: WorkToDo) => work.change(items, next);
  return (
    <fieldset className={styles['row']} disabled={isNone}>
      <legend className="visually-hidden">{t('Actions')}</legend>
      <StatusChoice status={undefined} onChoose={(status) => change({ status })} />
      <AssigneeChoice assignee={undefined} onChoose={(assignee) => change({ assignee })} />
      <AddTag
        tags={tags}
        button={
          <Button variant="default" disabled={isNone}>
            {t('Add tag')}
          </Button>
        }
        onChoose={(tag) => change({ addTags: [tag.id] })}
      />
      <Button variant="default" disabled={isNone} onClick={() => change({ unread: false })}>
        {t('Mark as read')}
      </Button>
    </fieldset>
  );
}
