import type { WorkToDo } from '../../../data/useModify.ts';
import { Button, Checkbox } from '../../../ui/theme/mantine.ts';
import styles from './BulkBar.module.css';
import { AssigneeChoice, StatusChoice } from './Choices.tsx';
import { AddTag } from './Tags.tsx';
import type { Bulk } from './useBulk.ts';
import { useTags } from './useTags.ts';
import type { WorkActions } from './useWork.ts';

/** The actions on the selected rows. */
export function BulkBar({ bulk, work }: { bulk: Bulk; work: WorkActions }) {
  const { tags } = useTags();
  const { items } = bulk;
  const isNone = items.length === 0;
  const change = (next: WorkToDo) => work.change(items, next);
  return (
    <fieldset className={styles['bar']}>
      <legend className="visually-hidden">Selected feedback</legend>
      <div className={styles['row']}>
        <Checkbox
          ref={bulk.all}
          label={isNone ? 'Select all shown' : `${items.length} selected`}
          checked={bulk.isAll}
          indeterminate={!isNone && !bulk.isAll}
          onChange={bulk.toggleAll}
        />
        <Button variant="subtle" size="compact-sm" onClick={bulk.stop}>
          Stop selecting
        </Button>
      </div>
      <fieldset className={styles['row']} disabled={isNone}>
        <legend className="visually-hidden">Actions</legend>
        <StatusChoice status={undefined} onChoose={(status) => change({ status })} />
        <AssigneeChoice assignee={undefined} onChoose={(assignee) => change({ assignee })} />
        <AddTag
          tags={tags}
          button={
            <Button variant="default" disabled={isNone}>
              Add tag
            </Button>
          }
          onChoose={(tag) => change({ addTags: [tag.id] })}
        />
        <Button variant="default" disabled={isNone} onClick={() => change({ unread: false })}>
          Mark as read
        </Button>
      </fieldset>
    </fieldset>
  );
}
