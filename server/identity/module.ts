import type { Module } from '../module.ts';
import type { Identity } from './port.ts';

/** Signs people in. */
export const identity = ({ pool }: { readonly pool: Identity }) =>
  ({
    work: pool.work,
    serve(http) {
      pool.addRoutes(http);
      return {};
    },
  }) satisfies Module;
