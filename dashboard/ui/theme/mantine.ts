/* The parts of the component kit that pages are drawn with; what opens over them is in overlays.ts. */
export {
  ActionIcon,
  Avatar,
  Button,
  Checkbox,
  CloseButton,
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

/** Returns the nonce that the content security policy asks of style elements; in the build, the placeholder for it. */
export const nonce = (): string =>
  import.meta.env.SSR ? '__NONCE__' : (document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '');
