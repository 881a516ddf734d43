import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../config/config.ts';
import { throughPooler } from './client.ts';
import { readServers } from './url.ts';

describe('a URL of several servers', () => {
  const [a, b] = [
    { host: 'a', port: 5432 },
    { host: 'b', port: 5433 },
  ];

  it('is parsed as libpq parses it', () => {
    const url = 'postgres://a:5432/db?sslmode=require';
    expect(readServers('postgres://a,b:5433/db?target_session_attrs=read-write&sslmode=require')).toEqual({ servers: [a, b], url });
    expect(readServers('postgresql:///db?host=a,b&port=5432,5433')?.servers).toEqual([a, b]);
    expect(readServers('postgresql:///db?host=a,b&port=6000')?.servers.map(({ port }) => port)).toEqual([6000, 6000]);
    expect(readServers('postgres://[::1]:5432,%2Frun%2Fpg/db')).toEqual({
      servers: [
        { host: '::1', port: 5432 },
        { host: '/run/pg', port: 5432 },
      ],
      url: 'postgres://[::1]:5432/db',
    });
  });

  it('keeps user and password', () => {
    expect(readServers('postgres://me:p%40s,s@a,b:5433/db')).toEqual({ servers: [a, b], url: 'postgres://me:p%40s,s@a:5432/db' });
  });

  it('is left to the driver if it names a single server', () => {
    for (const url of ['postgres://me:x@a/db', 'postgres://a:1/db?target_session_attrs=read-write', 'postgres:///db?host=/run/pg'])
      expect(readServers(url)).toBeUndefined();
  });

  it('is refused at the start if it is invalid', () => {
    const refused = ['postgres://a,b/db?target_session_attrs=standby', 'postgres://a:x,b/db', 'postgres:///db?host=a,b,c&port=1,2'];
    for (const url of refused) expect(() => readConfig({ DATABASE_URL: url })).toThrow(ConfigError);
    expect(readConfig({ DATABASE_URL: 'postgres://a,b/db?target_session_attrs=read-write' }).database?.url).toContain('a,b');
  });
});

describe('the address of a pooler', () => {
  const DATABASE_URL = 'postgres://a/db';

  it('is a host and a port', () => {
    for (const pooler of ['pool-1.internal:6432', '10.0.0.5:6432', '[::1]:6432'])
      expect(readConfig({ DATABASE_URL, DATABASE_POOLER: pooler }).database?.pooler).toBe(pooler);
    for (const pooler of ['10.0.0.5', ':6432', 'a:0', 'a:65536', 'a:x', 'postgres://a:6432', 'a:1,b:2'])
      expect(() => readConfig({ DATABASE_URL, DATABASE_POOLER: pooler })).toThrow('DATABASE_POOLER is "');
  });

  it('is refused without the database’s own', () => {
    expect(() => readConfig({ DATABASE_POOLER: 'a:6432' })).toThrow('DATABASE_POOLER is set without DATABASE_URL');
    expect(() => readConfig({ DATABASE_APP_URL: 'postgres://a/b' })).toThrow('DATABASE_APP_URL is set without DATABASE_URL');
  });

  it('is used whatever the database’s own looks like', async () => {
    const proxy = createServer((socket) => socket.destroy());
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const Client = throughPooler(`127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    for (const url of ['postgres://me:x@a.invalid:1/db', 'postgres:///db?host=/run/pg&port=1', 'postgres://a.invalid/db?host=b.invalid'])
      await expect(new Client({ connectionString: url }).connect()).rejects.toThrow(/terminated|reset/);
    proxy.close();
  });
});
