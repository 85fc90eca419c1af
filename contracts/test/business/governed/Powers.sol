// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Collectible} from "../../doubles/Collectible.sol";
import {Registering} from "./Registering.sol";

/// @notice What an owner can do, who has which power at present, and whether a call adds to it.
abstract contract Powers is Registering {
    enum Kind {
        Guardian,
        Operator,
        ConfigSigner,
        RefundSigner,
        Collector,
        Token,
        Delays,
        Owner,
        Merchant,
        Recovery,
        RecoveryCall
    }

    struct Power {
        Kind kind;
        address account;
        bool allowed;
        uint256 value;
        uint32 delay;
    }

    /// @dev What is no token of this hub's, and may be called in a clone's name.
    Collectible internal nft;
    address internal pendingOwner;
    uint32 internal ownerDelay;
    bool internal hasRefundSigner = true;
    mapping(address operator => bool) internal operators;
    mapping(address token => bool) internal listed;

    constructor() {
        harden();
        nft = new Collectible();
        operators[RELAYER] = true;
        (ownerDelay, configDelay) = (OWNER_DELAY, CONFIG_DELAY);
        (listed[address(usdc)], listed[address(usdt)]) = (true, true);
        (limits[address(usdc)], limits[address(usdt)]) = (REFUND_LIMIT, REFUND_LIMIT);
        limits[NATIVE] = 1 ether;
        for (uint256 m; m < MERCHANTS; ++m) {
            newestSigned[m] = 1;
        }
    }

    function anyPower(uint256 seed) internal returns (Power memory power) {
        power.kind = Kind((seed >> 24) % 11);
        uint256 next = seed >> 32;
        power.allowed = seed >> 96 & 3 != 0;
        Kind kind = power.kind;
        if (kind == Kind.Guardian) power.account = turn(GUARDIAN, next);
        if (kind == Kind.Operator) power.account = turn(RELAYER, 1 + next % 2);
        if (kind == Kind.Collector) power.account = turn(COLLECTOR, next);
        if (kind == Kind.Owner) power.account = turn(OWNER, next);
        if (kind == Kind.ConfigSigner) power.value = CONFIG_KEY + next % TURNS;
        if (kind == Kind.RefundSigner) power.value = REFUND_KEY + next % TURNS;
        if (kind == Kind.Token) {
            power.account = anyMoney(seed);
            if (power.account == NATIVE) power.allowed = false;
            power.value = REFUND_LIMIT * (next % 4) / 2;
        }
        if (kind == Kind.Delays) {
            power.value = OWNER_DELAY * (1 + next % 3) / 2;
            power.delay = CONFIG_DELAY * uint32(1 + (next >> 8) % 3) / 2;
        }
        if (kind == Kind.Recovery) {
            power.account = next & 1 == 0 ? address(hub) : hub.forwarderImplementation();
            if (next & 6 == 0) power.account = forwarders[(next >> 8) % MERCHANTS];
        }
        if (kind == Kind.RecoveryCall) {
            power.account = forwarders[next % MERCHANTS];
            power.value = (next >> 8) % 4;
        }
        if (kind == Kind.Merchant) {
            uint256 m = next % MERCHANTS;
            power.account = treasury(m, (next >> 8) % TREASURIES);
            power.value = m;
            power.delay = ++newestSigned[m];
        }
    }

    function callOf(Power memory power) internal view returns (bytes memory) {
        (Kind kind, address account) = (power.kind, power.account);
        if (kind == Kind.Guardian) return abi.encodeCall(hub.setGuardian, (account));
        if (kind == Kind.Operator) {
            return abi.encodeCall(hub.setOperator, (account, power.allowed));
        }
        address signer = power.allowed ? vm.addr(power.value == 0 ? 1 : power.value) : address(0);
        if (kind == Kind.ConfigSigner) return abi.encodeCall(hub.setConfigSigner, (signer));
        if (kind == Kind.RefundSigner) return abi.encodeCall(hub.setRefundSigner, (signer));
        if (kind == Kind.Collector) return abi.encodeCall(hub.setFeeCollector, (account));
        if (kind == Kind.Token) {
            uint8 decimals = account == NATIVE ? 18 : 6;
            return
                abi.encodeCall(
                    hub.setToken, (account, power.allowed, decimals, uint232(power.value))
                );
        }
        if (kind == Kind.Delays) {
            return abi.encodeCall(hub.setDelays, (uint32(power.value), power.delay));
        }
        if (kind == Kind.Owner) return abi.encodeCall(hub.transferOwnership, (account));
        if (kind == Kind.Recovery) {
            return abi.encodeCall(hub.recover, (account, address(usdc), RECIPIENT, 0));
        }
        if (kind == Kind.RecoveryCall) {
            bytes memory move = abi.encodeCall(usdc.transfer, (RECIPIENT, 0));
            if (power.value == 1) move = abi.encodeCall(nft.ownerOf, (0));
            return abi.encodeCall(hub.recoverCall, (account, targetOf(power), move));
        }
        return
            abi.encodeCall(hub.setMerchant, (entry(merchantOf(power.value), account, power.delay)));
    }

    /// @dev What takes power away needs no proposal.
    function addsPower(Power memory power) internal view returns (bool) {
        Kind kind = power.kind;
        if (kind == Kind.Operator || kind == Kind.ConfigSigner || kind == Kind.RefundSigner) {
            return power.allowed;
        }
        if (kind == Kind.Token) {
            return (power.allowed && !listed[power.account]) || power.value > limits[power.account];
        }
        if (kind == Kind.Delays) return power.value < ownerDelay || power.delay < configDelay;
        return true;
    }

    /// @dev Whom a clone is to call.
    function targetOf(Power memory power) internal view returns (address) {
        if (power.value == 0) return address(usdc);
        if (power.value == 1) return address(nft);
        return power.value == 2 ? address(hub) : power.account;
    }

    /// @dev An entry must be newer than all that is known; nothing is recovered out of clones; and they call
    ///      no listed token and nothing of the hub's.
    function isPossible(Power memory power) internal view returns (bool) {
        if (power.kind == Kind.Recovery) {
            return power.account == address(hub) || power.account == hub.forwarderImplementation();
        }
        if (power.kind == Kind.RecoveryCall) {
            bool isFree = power.value == 1 || (power.value == 0 && !listed[address(usdc)]);
            return isFree && power.account.code.length != 0;
        }
        if (power.kind != Kind.Merchant) return true;
        bytes16 id = merchantOf(power.value);
        (,,, uint32 pending,) = hub.pendingChanges(id);
        return power.delay > pending && power.delay > versionOf(id);
    }

    /// @dev It was executed.
    function executed(Power memory power) internal {
        (Kind kind, address account) = (power.kind, power.account);
        if (kind == Kind.Guardian) roles.guardian = account;
        if (kind == Kind.Operator) operators[account] = power.allowed;
        if (kind == Kind.Collector) roles.collector = account;
        if (kind == Kind.Owner) pendingOwner = account;
        if (kind == Kind.Token) {
            (listed[account], limits[account]) = (power.allowed, power.value);
        }
        if (kind == Kind.Delays) (ownerDelay, configDelay) = (uint32(power.value), power.delay);
        if (kind == Kind.Merchant) {
            announced[power.value][power.delay].isOwners = true;
            noteEntry(power.value);
        }
        if (kind == Kind.ConfigSigner) {
            hasConfigSigner = power.allowed;
            if (power.allowed) roles.configKey = power.value;
        }
        if (kind == Kind.RefundSigner) {
            hasRefundSigner = power.allowed;
            if (power.allowed) roles.refundKey = power.value;
        }
    }

    function isListed(address token) internal view override returns (bool) {
        return listed[token];
    }

    /// @dev Every power is where the last execution left it.
    function checkPowers() internal view {
        vm.assertEq(hub.owner(), roles.owner, "owner");
        vm.assertEq(hub.pendingOwner(), pendingOwner, "pending owner");
        vm.assertEq(hub.guardian(), roles.guardian, "guardian");
        vm.assertEq(hub.feeCollector(), roles.collector, "collector");
        address signer = hasConfigSigner ? vm.addr(roles.configKey) : address(0);
        vm.assertEq(hub.configSigner(), signer, "configuration signer");
        signer = hasRefundSigner ? vm.addr(roles.refundKey) : address(0);
        vm.assertEq(hub.refundSigner(), signer, "refund signer");
        vm.assertEq(hub.ownerDelay(), ownerDelay, "owner's delay");
        vm.assertEq(hub.configDelay(), configDelay, "configuration delay");
        for (uint256 i; i < TURNS; ++i) {
            address operator = turn(RELAYER, i);
            vm.assertTrue(hub.isOperator(operator) == operators[operator], "operator");
        }
        checkToken(address(usdc));
        checkToken(address(usdt));
        checkToken(NATIVE);
    }

    function checkToken(address token) private view {
        (bool isOnList,, uint232 limit) = hub.tokens(token);
        vm.assertTrue(isOnList == listed[token], "listed");
        vm.assertEq(limit, limits[token], "limit");
    }
}
