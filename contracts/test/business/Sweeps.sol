// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Scene} from "./Scene.sol";

/// @notice Deposits are paid and swept, by right and by wrong.
abstract contract Sweeps is Scene {
    uint8 private constant SWEEPING = 1;

    uint256 public sweeps;

    uint256 private _feeLeftBefore;

    function payDeposit(uint256 seed, uint256 amount) external {
        address deposit = deposits[seed % deposits.length];
        amount = within(amount, 1, 1e9);
        if (goodToken(seed) == address(usdc)) usdc.mint(deposit, amount);
        else usdt.mint(deposit, amount);
    }

    /// @dev Native coin comes without a call: the address has no code yet, or a block is rewarded.
    function payNative(uint256 seed, uint256 amount) external {
        amount = within(amount, 1, 10 ether);
        address to = seed & 1 == 0
            ? deposits[(seed >> 8) % deposits.length]
            : forwarders[(seed >> 8) % MERCHANTS];
        vm.deal(to, to.balance + amount);
        nativePaid += amount;
    }

    /// @dev An operator sweeps with any amount, fee and rest, right or wrong.
    function sweepAny(uint256 seed, uint256 amount, uint256 fee, uint256 leave) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        uint256 held = balance(item.token, depositOf(item));
        item.amount = within(amount, 0, held + held / 8);
        item.fee = within(fee, 0, item.maxFee + item.maxFee / 8);
        if (seed >> 101 & 1 == 0) item.leave = within(leave, 0, held);
        if (seed >> 102 & 15 == 0) item.deploys = !item.deploys;
        if (seed >> 106 & 15 == 0) item.version += 1;
        sweepChecked(item);
    }

    /// @dev Most of the time the backend knows what it does.
    function sweepWhole(uint256 seed) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        item.amount = balance(item.token, depositOf(item));
        if (item.deploys) item.fee = item.maxFee;
        else item.fee = hub.feeLeft(depositOf(item));
        if (item.fee > item.amount) item.fee = item.amount;
        sweepChecked(item);
    }

    /// @dev A sweep whose commit was lost is sent twice. The second moves nothing, because what was
    ///      to be left is all that is there.
    function sweepTwice(uint256 seed, uint256 leave) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        uint256 held = balance(item.token, depositOf(item));
        if (held < 2) return;
        item.leave = within(leave, 1, held - 1);
        item.amount = held - item.leave;
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](2);
        (items[0], items[1]) = (item, item);
        sweepAs(roles.operator, items);
        uint256 left = balance(item.token, depositOf(item));
        vm.assertTrue(left == held || left == item.leave, "once or not at all");
    }

    /// @dev A good sweep between two that want more than there is.
    function sweepBetweenBadOnes(uint256 seed) external {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        items[0] = anySweep(seed >> 16);
        items[1] = anySweep(seed);
        items[2] = anySweep(seed >> 32);
        address deposit = depositOf(items[1]);
        items[0].amount = type(uint128).max;
        items[1].amount = balance(items[1].token, deposit);
        items[2].amount = type(uint128).max;
        if (items[1].amount == 0) return;
        sweepAs(roles.operator, items);
        uint256 left = balance(items[1].token, deposit);
        vm.assertEq(left, mayPass(items[1]) ? 0 : items[1].amount, "the good one is paid");
    }

    /// @dev Another recipient or a higher fee is another deposit, which holds nothing.
    function sweepOnOtherTerms(uint256 seed) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        address deposit = depositOf(item);
        uint256 held = balance(item.token, deposit);
        item.amount = held == 0 ? 1 : held;
        if (seed >> 120 & 1 == 0) item.recipient = STRANGER;
        else item.maxFee += 1 + MAX_FEE;
        item.fee = item.maxFee > item.amount ? item.amount : item.maxFee;
        sweepAs(roles.operator, batch(item));
        vm.assertEq(balance(item.token, deposit), held, "the address commits to its terms");
    }

    function sweepAsStranger(uint256 seed) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        item.amount = balance(item.token, depositOf(item));
        address caller = seed >> 110 & 1 == 0 ? STRANGER : roles.owner;
        bytes memory call = abi.encodeCall(hub.sweep, (batch(item), plenty()));
        vm.assertFalse(tryAs(caller, call), "refused");
        call = abi.encodeCall(hub.sweepItem, (item, 100_000, 60_000));
        vm.assertFalse(tryAs(roles.operator, call), "only the hub itself");
    }

    function sweepChecked(IRemitHub.Sweep memory item) internal {
        address deposit = depositOf(item);
        address receiver = receiverOf(item);
        uint256 held = balance(item.token, deposit);
        uint256 received = balance(item.token, receiver);
        uint256 collected = balance(item.token, roles.collector);
        bool wasDeployed = deposit.code.length != 0;
        _feeLeftBefore = hub.feeLeft(deposit);
        sweepAs(roles.operator, batch(item));
        uint256 left = balance(item.token, deposit);
        uint256 charged = balance(item.token, roles.collector) - collected;
        received = balance(item.token, receiver) - received;
        if (left == held) {
            // All of an amount may be a fee that its token refused, which is recorded.
            bool isOwed = mayPass(item) && item.amount == item.fee && item.amount != 0;
            vm.assertTrue(
                isOwed || wasDeployed == (deposit.code.length != 0), "nothing is deployed"
            );
            vm.assertEq(received + charged, 0, "nothing is paid");
        } else {
            vm.assertTrue(mayPass(item), "stopped, not listed, or not as in the item");
            vm.assertEq(received, item.amount - item.fee, "the receiver's part");
            vm.assertTrue(charged == 0 || charged == item.fee, "the fee named or none");
            vm.assertEq(held - left, received + charged, "all that left the deposit");
            vm.assertTrue(left >= item.leave, "what was to be left");
            feesOf[deposit] += charged;
            ++sweeps;
        }
        bool isNew = !wasDeployed && deposit.code.length != 0;
        checkFeeLeft(deposit, isNew ? item.fee : 0, charged);
        checkFeesOf(deposit);
    }

    /// @dev What its deployment allowed to be charged, and was refused, is left; what was charged is not.
    function checkFeeLeft(address deposit, uint256 allowed, uint256 charged) private view {
        uint256 left = _feeLeftBefore + allowed - charged;
        vm.assertEq(hub.feeLeft(deposit), left, "the fee that is left");
    }

    /// @dev Whether sweeps run, the token is listed, and the item names the active entry.
    function mayPass(IRemitHub.Sweep memory item) internal view returns (bool) {
        if (isStopped(SWEEPING) || !isListed(item.token)) return false;
        if (item.recipient != address(0)) return true;
        uint256 m = item.merchantId == merchantOf(0) ? 0 : 1;
        return item.version == versions[m] && !isWaiting(m);
    }

    // From the rest of the business

    function isStopped(uint8 what) internal view virtual returns (bool);
    function isListed(address token) internal view virtual returns (bool);
    /// @dev Whether another treasury is announced for a merchant.
    function isWaiting(uint256 m) internal view virtual returns (bool);
}
