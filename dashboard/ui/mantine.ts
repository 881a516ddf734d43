/* The parts of the component kit that we use; everything else of the dashboard takes them from here. */
export {
  ActionIcon,
  Avatar,
  Button,
  Checkbox,
  CloseButton,
  Drawer,
  Kbd,
  Loader,
  MantineProvider,
  Menu,
  Modal,
  NativeSelect,
  PasswordInput,
  Popover,
  Radio,
  SegmentedControl,
  Switch,
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
  useNetwork,
  useReducedMotion,
  useTimeout,
  useWindowEvent,
} from '@mantine/hooks';

/** What the server's content security policy lets style elements of this page carry. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
