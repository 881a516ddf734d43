import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { DescribedOperation } from '#contract/core/operation.ts';
import { translatable } from '#contract/language/translate.ts';
import { messageOf } from '../../data/errors.ts';
import { operationsQuery } from '../../data/queries.ts';
import { t } from '../../language.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { NotLoaded } from '../../ui/messages/EmptyState.tsx';
import { Rich } from '../../ui/Rich.tsx';
import styles from './ApiReference.module.css';

const WHO = translatable({
  visitor: 'Anyone, without a token',
  member: 'Everyone on the team',
  admin: 'Admins',
  operator: 'Operators',
} satisfies Record<DescribedOperation['access'], string>);

/** The operations, as described by the running server. */
export function ApiReference() {
  const { data: all, error, refetch } = useQuery(operationsQuery);
  const isSlow = useDelayed(!all && !error);
  const isLoaded = all !== undefined;
  useEffect(() => {
    // The address may link to an operation, which the browser couldn't scroll to before it was loaded.
    if (isLoaded) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [isLoaded]);
  if (error)
    return (
      <NotLoaded title={t('We couldn’t load the list.')} onRetry={refetch}>
        {messageOf(error)}
      </NotLoaded>
    );
  if (!all)
    return (
      <p role="status" aria-busy>
        {isSlow ? t('Loading operations') : ''}
      </p>
    );
  const common = codesOfAll(all);
  return (
    <>
      <Services all={all} />
      <h2 id="common-refusals">{t('Errors any operation can return')}</h2>
      <Refusals of={(all[0]?.refusals ?? []).filter(({ code }) => common.has(code))} />
      {servicesOf(all).map((service) => (
        <section key={service} aria-labelledby={service}>
          <h2 id={service}>{service}</h2>
          {all
            .filter((each) => each.service === service)
            .map((each) => (
              <OperationEntry key={each.action} operation={each} common={common} />
            ))}
        </section>
      ))}
    </>
  );
}

const servicesOf = (all: readonly DescribedOperation[]): string[] => [...new Set(all.map(({ service }) => service))];

/** Returns the error codes common to all operations, which are listed once. */
const codesOfAll = (all: readonly DescribedOperation[]): ReadonlySet<string> =>
  new Set(
    all[0]?.refusals.map(({ code }) => code).filter((code) => all.every(({ refusals }) => refusals.some((each) => each.code === code))),
  );

/** Links to all operations. */
const Services = ({ all }: { all: readonly DescribedOperation[] }) => (
  <ul className={styles['names']} aria-label={t('Operations')}>
    {all.map(({ service, action }) => (
      <li key={`${service}.${action}`}>
        <a href={`#${service}.${action}`}>
          {service}.{action}
        </a>
      </li>
    ))}
  </ul>
);

function OperationEntry({ operation, common }: { operation: DescribedOperation; common: ReadonlySet<string> }) {
  const { service, action, access, keyScope, summary, sample, input, answer, refusals } = operation;
  const name = `${service}.${action}`;
  const specific = refusals.filter(({ code }) => !common.has(code));
  return (
    <section className={styles['operation']} aria-labelledby={name}>
      <h3 id={name}>{name}</h3>
      <p>{summary}</p>
      <p className={styles['who']}>
        {keyScope ? (
          <Rich
            text={t('Who: {people}, and API keys with <code>{scope}</code>', { people: t(WHO[access]), scope: keyScope })}
            parts={{ code: (scope) => <code>{scope}</code> }}
          />
        ) : (
          t('Who: {people}', { people: t(WHO[access]) })
        )}
      </p>
      <h4>{t('Sample call')}</h4>
      <Code label={t('Sample call of {name}', { name })}>{`POST /api/data\n\n${JSON.stringify(sample, null, 2)}`}</Code>
      {specific.length > 0 && <Refusals of={specific} />}
      <details>
        <summary>{t('Input and response schema')}</summary>
        <Code label={t('Schema of {name}', { name })}>{JSON.stringify({ input, answer }, null, 2)}</Code>
      </details>
    </section>
  );
}

const Refusals = ({ of }: { of: DescribedOperation['refusals'] }) => (
  <dl className={styles['refusals']}>
    {of.map(({ code, status, when }) => (
      <div key={code}>
        <dt>
          <code>{code}</code> {status}
        </dt>
        <dd>{when}</dd>
      </div>
    ))}
  </dl>
);

/** A code block that scrolls, also by keyboard. */
const Code = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  <section data-wide tabIndex={0} aria-label={label}>
    <pre>
      <code>{children}</code>
    </pre>
  </section>
);
