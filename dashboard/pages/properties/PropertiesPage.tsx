import { IconBuildingStore } from '@tabler/icons-react';
import { useTeam } from '../../frame/team.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import styles from './PropertiesPage.module.css';
import { PropertyCard } from './PropertyCard.tsx';

/** The places of the business: how each is doing, and where its visitors answer. */
export function PropertiesPage() {
  const { properties } = useTeam();
  return (
    <Page title="Properties" lead={properties.length > 0 ? 'The last month in numbers, and the address of each form' : undefined}>
      {properties.length === 0 ? (
        <div className={styles['empty']}>
          <EmptyState icon={<IconBuildingStore size={32} stroke={1.5} aria-hidden />} title="No properties yet.">
            A property is a place that people visit. Each has a form of its own, with an address to print or share.
          </EmptyState>
        </div>
      ) : (
        <ul className={styles['list']} aria-label="Properties">
          {properties.map((property) => (
            <li key={property.id}>
              <PropertyCard property={property} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
