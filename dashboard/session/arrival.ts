import { takeLink } from './link.ts';

// Before the router reads the address, and again where a link is opened in a tab that is here already.
takeLink();
addEventListener('hashchange', takeLink);
