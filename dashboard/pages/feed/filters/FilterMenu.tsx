import { IconFilter, IconPlus } from '@tabler/icons-react';
import { Button, Drawer, Popover, useDisclosure } from '../../../ui/mantine.ts';
import { filtersOf } from '../search.ts';
import { FilterFields, type FilterFieldsProps } from './FilterFields.tsx';
import styles from './FilterMenu.module.css';

/** The filters that have no place of their own: beside the button, or in a sheet from below on a phone. */
export function FilterMenu({ isWide, ...fields }: FilterFieldsProps & { isWide: boolean }) {
  const [isOpen, menu] = useDisclosure();
  const count = filtersOf(fields.search).length;
  if (isWide)
    return (
      <Popover opened={isOpen} onChange={menu.set} position="bottom-end" trapFocus returnFocus shadow="md">
        <Popover.Target>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={menu.toggle}>
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Filters" className={styles['panel'] ?? ''}>
          <FilterFields {...fields} />
        </Popover.Dropdown>
      </Popover>
    );
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={menu.open}>
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <Drawer.Root opened={isOpen} onClose={menu.close} position="bottom" size="auto" classNames={{ content: styles['content'] ?? '' }}>
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Header component="div">
            <Drawer.Title component="h2" className={styles['title'] ?? ''}>
              Filters
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close" size="lg" />
          </Drawer.Header>
          <Drawer.Body className={styles['sheet'] ?? ''}>
            <FilterFields {...fields} />
            <Button fullWidth size="md" onClick={menu.close}>
              Show feedback
            </Button>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
