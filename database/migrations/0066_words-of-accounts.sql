-- In the word index, each word starts with five letters or digits that follow from its account, so a search reads no words of
-- other accounts, except of the few with the same five, and skips their rows.
create function owned(account text, words tsvector) returns tsvector language sql immutable parallel safe
return replace(' ' || words::text, ' ''', ' ''' || left(md5(account), 5))::tsvector;
--> statement-breakpoint
create function owned(account text, query tsquery) returns tsquery language sql immutable parallel safe
return replace(' ' || query::text, ' ''', ' ''' || left(md5(account), 5))::tsquery;
--> statement-breakpoint
-- A word has at most 2046 bytes.
create function without_longest(words tsvector) returns tsvector language sql immutable parallel safe
return ts_delete(words, array(select lexeme from unnest(words) where octet_length(lexeme) > 2000));
--> statement-breakpoint
drop index feedback_words;
--> statement-breakpoint
drop function searched(text, text);
--> statement-breakpoint
-- Folding makes a text at most eleven times as long (U+FDFA), so a short one needs no search for long words.
create function searched(account text, said text) returns tsvector language sql immutable parallel safe
return owned(account, case
  when octet_length(said) > 180 then without_longest(to_tsvector('simple', folded(said)))
  else to_tsvector('simple', folded(said))
end);
--> statement-breakpoint
create index feedback_words on feedback using gin (searched(account_id, text)) where text is not null;
--> statement-breakpoint
-- Without the account, which was a word.
update topic set query = regexp_replace(query, '^''@[^'']+'' & \((.*)\)$', '\1');
