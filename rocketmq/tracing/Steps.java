package rmqproof;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/** What the line of each step says, as members of a JSON object. */
final class Steps {
    private static final Map<String, Field> KNOWN_FIELDS = new ConcurrentHashMap<>();
    private static final Map<String, Method> KNOWN_METHODS = new ConcurrentHashMap<>();
    private static final Map<Object, Integer> CONNECTIONS = new IdentityHashMap<>();
    private static final Copied COPIED = new Copied();

    private Steps() {
    }

    /** What is known when the method begins. */
    static String before(String step, Object self, Object[] arguments) {
        switch (step) {
            case "master":
                return "\"epoch\":" + arguments[0] + ",\"was\":" + get(self, "masterEpoch");
            case "slave":
                return "\"epoch\":" + arguments[1] + ",\"was\":" + get(self, "masterEpoch") + ",\"master\":" + arguments[2];
            case "set":
            case "mark":
                return "\"members\":" + members(arguments[0]);
            case "propose":
                return "\"members\":" + members(arguments[0]) + ",\"epoch\":" + get(self, "masterEpoch")
                    + ",\"number\":" + get(self, "syncStateSetEpoch");
            case "expand":
                return "\"slave\":" + arguments[0] + ",\"offset\":" + arguments[1];
            case "wake":
                return "\"end\":" + call(self, "getNextOffset") + ",\"acks\":" + call(self, "getAckNums")
                    + ",\"status\":\"" + arguments[0] + "\"";
            case "hear":
                return "\"end\":" + arguments[1] + ",\"file\":" + file((Collection<?>) arguments[0]);
            case "connect":
                return "\"was\":" + (get(self, "socketChannel") != null);
            case "close":
                return "\"was\":" + (get(self, "socketChannel") != null);
            default:
                return null;
        }
    }

    /** What is known when it ends; null: nothing happened that is told. */
    static String after(String step, String of, String method, Object self, Object[] arguments, Object result) {
        switch (step) {
            case "put":
                return put(arguments, result);
            case "wake":
            case "master":
            case "slave":
            case "set":
            case "mark":
            case "propose":
                return of;
            case "confirm":
            case "cut":
                return "\"offset\":" + arguments[0];
            case "copy":
                return COPIED.told((long) arguments[0], (byte[]) arguments[1], (int) arguments[2], (int) arguments[3], result);
            case "load":
                return "\"end\":" + call(self, "getMaxPhyOffset") + ",\"confirm\":" + get(get(self, "commitLog"), "confirmOffset")
                    + ",\"allAck\":" + call(call(self, "getMessageStoreConfig"), "isAllAckInSyncStateSet")
                    + ",\"flush\":\"" + call(call(self, "getMessageStoreConfig"), "getFlushDiskType") + "\"";
            case "answer":
                answerLater(result);
                return null;
            case "opened":
            case "closed":
                return "\"connection\":" + connection(arguments[0]);
            case "closedAll":
                return "";
            case "identity":
                return "\"id\":" + arguments[0];
            case "examine":
                return "\"cut\":" + result;
            case "tell":
                return tell(self);
            case "send":
                return send(self, arguments);
            case "connect":
                return of.endsWith("false") && Boolean.TRUE.equals(result) ? "" : null;
            case "close":
                return of.endsWith("true") ? "" : null;
            case "hear":
                return of + ",\"result\":" + result;
            case "report":
                return "\"offset\":" + arguments[arguments.length - 1] + ",\"result\":" + result;
            case "epochs":
                return epochs(method, self, arguments, result);
            case "apply":
                return apply(self, arguments[0]);
            default:
                return null;
        }
    }

    /** After a write of a field. */
    static String written(Object self, String value) {
        return "\"connection\":" + connection(self) + ",\"value\":" + value;
    }

    private static String put(Object[] arguments, Object result) {
        long begins = (long) call(result, "getWroteOffset");
        int size = (int) call(result, "getWroteBytes");
        String status = String.valueOf(call(result, "getStatus"));
        if (!status.equals("PUT_OK") && !status.equals("END_OF_FILE")) {
            return null;
        }
        long crc = 0;
        if (status.equals("PUT_OK")) {
            ByteBuffer buffer = ((ByteBuffer) arguments[1]).duplicate();
            int at = (int) (begins - (long) arguments[0]);
            CRC32 sum = new CRC32();
            buffer.limit(at + size).position(at);
            sum.update(buffer);
            crc = sum.getValue();
        }
        return "\"offset\":" + begins + ",\"size\":" + size + ",\"crc\":" + crc;
    }

    /** The producer's answer, in the thread that gives it. */
    private static void answerLater(Object result) {
        long began = System.nanoTime();
        ((CompletableFuture<?>) result).whenComplete((answer, problem) -> {
            try {
                if (answer != null) {
                    Object appended = call(answer, "getAppendMessageResult");
                    String place = appended == null ? "" : ",\"offset\":" + call(appended, "getWroteOffset")
                        + ",\"size\":" + call(appended, "getWroteBytes");
                    StepAgent.line("answer", began, System.nanoTime(), null,
                        "\"status\":\"" + call(answer, "getPutMessageStatus") + "\"" + place);
                }
            } catch (Throwable wrong) {
                StepAgent.failed("answer", wrong);
            }
        });
    }

    private static String tell(Object self) {
        ByteBuffer header = (ByteBuffer) get(self, "byteBufferHeader");
        ByteBuffer body = (ByteBuffer) get(self, "handShakeBuffer");
        StringBuilder file = new StringBuilder("[");
        for (int at = 0; at < header.getInt(4); at += 12) {
            file.append(at == 0 ? "" : ",").append('[').append(body.getInt(at)).append(',').append(body.getLong(at + 4)).append(']');
        }
        return "\"connection\":" + connection(get(self, "this$0")) + ",\"end\":" + header.getLong(8) + ",\"file\":" + file + "]";
    }

    private static String send(Object self, Object[] arguments) {
        ByteBuffer header = (ByteBuffer) get(self, "byteBufferHeader");
        if (header.getInt(4) != (int) arguments[1] || header.getLong(8) != (long) arguments[0]) {
            return null;
        }
        return "\"connection\":" + connection(get(self, "this$0")) + ",\"offset\":" + header.getLong(8) + ",\"size\":"
            + header.getInt(4) + ",\"epoch\":" + header.getInt(16) + ",\"start\":" + header.getLong(20) + ",\"confirm\":"
            + header.getLong(28);
    }

    private static String epochs(String method, Object self, Object[] arguments, Object result) {
        if (get(self, "checkpoint") == null) {
            return null;  // of a comparison, not of a file
        }
        String about = "";
        if (method.equals("appendEntry")) {
            about = ",\"entry\":" + entry(arguments[0]) + ",\"done\":" + result;
        } else if (arguments.length == 1) {
            about = ",\"from\":" + arguments[0];
        }
        return "\"what\":\"" + method + "\"" + about + ",\"file\":" + file((Collection<?>) call(self, "getAllEntries"));
    }

    private static String apply(Object self, Object event) {
        String kind = event.getClass().getSimpleName();
        String about = "";
        Object name;
        try {
            name = call(event, "getBrokerName");
        } catch (IllegalStateException none) {
            return "\"event\":\"" + kind + "\"";
        }
        if (kind.equals("ElectMasterEvent")) {
            about = ",\"elected\":" + call(event, "getNewMasterElected") + ",\"master\":" + call(event, "getNewMasterBrokerId");
        } else if (kind.equals("AlterSyncStateSetEvent")) {
            about = ",\"members\":" + members(call(event, "getNewSyncStateSet"));
        }
        Object state = ((Map<?, ?>) get(self, "syncStateSetInfoTable")).get(name);
        String after = state == null ? "" : ",\"after\":{\"masterEpoch\":" + get(state, "masterEpoch") + ",\"number\":"
            + get(state, "syncStateSetEpoch") + ",\"members\":" + members(get(state, "syncStateSet")) + ",\"master\":"
            + get(state, "masterBrokerId") + "}";
        return "\"event\":\"" + kind + "\",\"brokerName\":\"" + name + "\"" + about + after;
    }

    // --- values -------------------------------------------------------------------------------------------------------

    private static int connection(Object which) {
        synchronized (CONNECTIONS) {
            return CONNECTIONS.computeIfAbsent(which, each -> CONNECTIONS.size() + 1);
        }
    }

    private static String members(Object set) {
        return set == null ? "[]" : String.valueOf(new TreeSet<>((Collection<?>) set));
    }

    private static String entry(Object entry) {
        return "[" + call(entry, "getEpoch") + "," + call(entry, "getStartOffset") + "]";
    }

    private static String file(Collection<?> entries) {
        List<String> found = new ArrayList<>();
        entries.forEach(each -> found.add(entry(each)));
        return String.valueOf(found);
    }

    /** Of an object's class, or of one that it extends. */
    static Object get(Object self, String name) {
        try {
            return KNOWN_FIELDS.computeIfAbsent(self.getClass().getName() + "." + name, key -> field(self.getClass(), name)).get(self);
        } catch (IllegalAccessException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static Field field(Class<?> kind, String name) {
        for (Class<?> each = kind; each != null; each = each.getSuperclass()) {
            try {
                Field found = each.getDeclaredField(name);
                found.setAccessible(true);
                return found;
            } catch (NoSuchFieldException elsewhere) {
                continue;
            }
        }
        throw new IllegalStateException(kind.getName() + " has no field " + name);
    }

    static Object call(Object self, String name) {
        try {
            return KNOWN_METHODS.computeIfAbsent(self.getClass().getName() + "." + name, key -> method(self.getClass(), name)).invoke(self);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static Method method(Class<?> kind, String name) {
        try {
            Method found = kind.getMethod(name);
            found.setAccessible(true);
            return found;
        } catch (NoSuchMethodException problem) {
            throw new IllegalStateException(problem);
        }
    }

    /** The messages that end in what a slave copies, one after another. */
    private static final class Copied {
        private static final int BLANK = -875286124;
        private byte[] rest = new byte[0];
        private long next = -1;

        synchronized String told(long offset, byte[] data, int start, int length, Object result) {
            if (offset != next) {
                rest = new byte[0];
            }
            byte[] all = new byte[rest.length + length];
            System.arraycopy(rest, 0, all, 0, rest.length);
            System.arraycopy(data, start, all, rest.length, length);
            long at = offset - rest.length;
            List<String> found = new ArrayList<>();
            ByteBuffer bytes = ByteBuffer.wrap(all);
            int place = 0;
            while (place + 8 <= all.length) {
                int size = bytes.getInt(place);
                if (size <= 8 - 1 || place + size > all.length) {
                    break;
                }
                CRC32 sum = new CRC32();
                sum.update(all, place, size);
                found.add("[" + (at + place) + "," + size + "," + (bytes.getInt(place + 4) == BLANK ? 0 : sum.getValue()) + "]");
                place += size;
            }
            rest = java.util.Arrays.copyOfRange(all, place, all.length);
            next = offset + length;
            return "\"offset\":" + offset + ",\"size\":" + length + ",\"messages\":" + found + ",\"result\":" + result;
        }
    }
}
