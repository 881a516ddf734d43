/* The Mantine components that pages use. Overlays are in overlays.ts. */
export {
  ActionIcon,
  Avatar,
  Button,
  Checkbox,
  CloseButton,
  createSafeContext,
  Input,
  Kbd,
  Loader,
  MantineProvider,
  NativeSelect,
  PasswordInput,
  Radio,
  SegmentedControl,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
export {
  useClipboard,
  useDebouncedCallback,
  useDisclosure,
  useDocumentTitle,
  useElementSize,
  useInterval,
  useMediaQuery,
  useMergedRef,
  useNetwork,
  useReducedMotion,
  useTimeout,
  useWindowEvent,
} from '@mantine/hooks';

/** Returns the nonce for style elements, as set by the server's content security policy; in the build, its placeholder. */
export const nonce = (): string =>
  import.meta.env.SSR ? '__NONCE__' : (document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '');
